/** Composition root of catalog: the one place that reads configuration and constructs anything. */
import { connectBus } from '@vds/chassis/bus/bus';
import { openDatabase, openWatchedPool } from '@vds/chassis/database/database';
import { startRelay } from '@vds/chassis/database/outbox';
import { serveRpcPorts } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { orUndefinedIfNotFound } from '@vds/chassis/process/startup-checks';
import { warmUp } from '@vds/chassis/process/warm-up';
import { config as spec } from './config.ts';
import { stageOwners } from './domain/stages.ts';
import { catalogAdminRpc } from './inbound/admin-rpc.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { durableHandlers, broadcastHandlers } from './inbound/events.ts';
import { reconcile } from './inbound/reconcile.ts';
import { catalogRpc } from './inbound/rpc.ts';
import { createVideo, dailyCount, type NewVideo } from './outbound/create-video.ts';
import { tryAcquire } from './outbound/leader-lock.ts';
import { openListings } from './outbound/listings.ts';
import { createCatalogMetrics } from './outbound/metrics.ts';
import { openPlayables } from './outbound/playables.ts';
import { openPrisma } from './outbound/prisma.ts';
import { confirmPurge, makeAllDue, republish, type PurgeConfirmation } from './outbound/republish.ts';
import { listInUse } from './outbound/reconcile-rows.ts';
import { dueVideos, loadSnapshot } from './outbound/snapshots.ts';
import { openVideoStore } from './outbound/video-store.ts';

await run('catalog', spec, async (scope) => {
  const { config, log, metrics, cutOff, own } = scope;
  const pool = await openDatabase(scope, 'catalog', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));
  // Partners and viewers do not queue for connections behind events and periodic tasks.
  const rpcPool = openWatchedPool(scope, 'catalog', 'rpc', config.databaseRpcPoolSize);
  const rpcPrisma = own('rpc prisma', openPrisma(rpcPool));
  const bus = own('bus', await connectBus({ ...config, service: 'catalog', log, metrics, cutOff }));
  await bus.ownStream(() => makeAllDue(pool));
  const { notify } = own('relay', startRelay({ pool, bus, log, metrics }));

  const catalogMetrics = createCatalogMetrics(metrics, pool, config.readyWithinMs);
  const listings = openListings(rpcPool, rpcPrisma);
  const playables = openPlayables(listings.playable, { log, metrics });
  const onPlan = [catalogMetrics.observe, playables.observe];
  const backlog = bus.openBacklog(stageOwners);
  const storing = { times: config, caughtUp: backlog.caughtUp, notify, onPlan };
  const { change } = openVideoStore({ ...storing, pool, prisma });

  bus.subscribe(
    durableHandlers({
      change,
      confirmPurge: (purged: PurgeConfirmation) => confirmPurge(pool, purged),
      onEvent: catalogMetrics.heard,
      onUnknownFailure: catalogMetrics.unknownFailure,
      log,
    }),
  );
  bus.watch(broadcastHandlers(playables));
  const republishing = { ...config, pool, bus, onRepublished: catalogMetrics.republished };
  const scheduler = startScheduler({
    tryAcquire: (task: string, gapMs: number) => tryAcquire(pool, task, gapMs),
    checkBacklog: backlog.check,
    dueVideos: () => dueVideos(pool, backlog.caughtUp()),
    change,
    republish: (limit: number) => republish(republishing, limit),
    ...config,
    log,
  });
  own('scheduler', scheduler);

  const { change: changeForCaller } = openVideoStore({ ...storing, pool: rpcPool, prisma: rpcPrisma });
  const load = (id: string, publisherId?: string) => loadSnapshot(rpcPool, id, publisherId);
  const creating = { pool: rpcPool, metrics: catalogMetrics, notify, republishFirstMs: config.republishFirstMs };
  const create = (video: NewVideo, leftMs: () => number) => createVideo(creating, video, leftMs);
  const count = (budgetId: string, limit: number) => dailyCount(rpcPool, budgetId, limit);
  const service = catalogRpc({ create, dailyCount: count, load, change: changeForCaller, listings, playables });
  const admin = catalogAdminRpc({
    ...{ load, change: changeForCaller, listings: openListings(pool, prisma) },
    listInUse: (after, limit) => listInUse(pool, after, limit),
    reconcile: (request, caller) => reconcile({ pool, change, notify }, request, caller),
  });
  const ports = await serveRpcPorts(scope, [service], [admin]);
  await warmUp(scope, {
    get: () => load('warm-up', 'warm-up'),
    count: () => count('warm-up', 1),
    playable: () => orUndefinedIfNotFound(listings.playable('warm-up')),
  });
  log.info(ports, 'serving RPC');
});
