/** Composition root of catalog: the one place that reads configuration and constructs anything. */
import { connectBus } from '@vds/chassis/bus/bus';
import { deadLetterAdmin } from '@vds/chassis/bus/dead-letters-rpc';
import { openDatabase, openWatchedPool } from '@vds/chassis/database/database';
import { runExclusively } from '@vds/chassis/database/leader-lock';
import { startRelay } from '@vds/chassis/database/outbox';
import { keepOwnStream } from '@vds/chassis/database/published-position';
import { startRetention } from '@vds/chassis/database/retention';
import { serveRpcPorts } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { warmUp } from '@vds/chassis/process/warm-up';
import { config as spec } from './config.ts';
import { stageOwners } from './domain/stages.ts';
import { catalogAdminRpc } from './inbound/admin-rpc.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { durableHandlers, broadcastHandlers } from './inbound/events.ts';
import { reconcile } from './inbound/reconcile.ts';
import { catalogRpc } from './inbound/rpc.ts';
import { callerOperations } from './outbound/caller-operations.ts';
import { openListings } from './outbound/listings.ts';
import { createCatalogMetrics } from './outbound/metrics.ts';
import { openPlayables } from './outbound/playables.ts';
import { openPrisma } from './outbound/prisma.ts';
import { openPurgeLedger } from './outbound/purge-ledger.ts';
import { makeAllDue, republish } from './outbound/republish.ts';
import { listInUse as listVideosInUse, type InUseQuery } from './outbound/reconcile-rows.ts';
import { retentionOf } from './outbound/retention.ts';
import { dueVideos } from './outbound/snapshots.ts';
import { readUsage, setBudgets } from './outbound/usage.ts';
import { openVideoStore } from './outbound/video-store.ts';

await run('catalog', spec, async (scope) => {
  const { config, log, metrics, forceClose, own } = scope;
  const pool = await openDatabase(scope, 'catalog', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));
  const rpcPool = openWatchedPool(scope, 'catalog', 'rpc', config.databaseRpcPoolSize);
  const rpcPrisma = own('rpc prisma', openPrisma(rpcPool));
  const bus = own('bus', await connectBus({ ...config, service: 'catalog', log, metrics, forceClose }));
  await keepOwnStream({ bus, pool, service: 'catalog' }, (client) => makeAllDue(client));
  const { notify } = own('relay', startRelay({ pool, bus, log, metrics }));

  const catalogMetrics = createCatalogMetrics(metrics, pool, config.readyWithinMs);
  const listings = openListings(rpcPool, rpcPrisma, config.gateGraceMs);
  const playables = openPlayables(listings.playable, { log, metrics });
  const backlog = bus.openBacklog(stageOwners);
  const onPlan = [catalogMetrics.observe, playables.observe];
  const storing = { times: config, caughtUp: backlog.caughtUp, notify, onPlan };
  const { change } = openVideoStore({ ...storing, pool });

  const { unknownFailure: onUnknownFailure, republished: onRepublished, consumed: onEvent } = catalogMetrics;
  const handlers = durableHandlers({ change, ...openPurgeLedger(pool), onEvent, onUnknownFailure, log });
  // An owner's terminal event may be among what its stream has lost.
  bus.subscribe(handlers, { onLoss: (owner) => makeAllDue(pool, owner) });
  bus.watch(broadcastHandlers(playables));
  const republishing = { ...config, pool, bus, onRepublished };
  const scheduling = {
    runExclusively: (task: string, gapMs: number, run: () => Promise<void>) => runExclusively(pool, task, gapMs, run),
    dueVideos: () => dueVideos(pool, backlog.caughtUp(), config.deleteGraceMs),
    ...{ change, republish: (limit: number) => republish(republishing, limit) },
    ...{ ...config, log, metrics, checkBacklog: backlog.check },
  };
  own('scheduler', startScheduler(scheduling));
  own('retention', startRetention({ ...config, pool, log, metrics, retention: retentionOf(config) }));

  const { warmUps, ...operations } = callerOperations({
    ...{ ...storing, pool: rpcPool, listings },
    ...{ metrics: catalogMetrics, republishFirstMs: config.republishFirstMs },
  });
  const listInUse = (query: InUseQuery) => listVideosInUse(pool, query);
  const admin = catalogAdminRpc({
    ...{ ...operations, listings: openListings(pool, prisma, config.gateGraceMs) },
    usage: (publisherId) => readUsage(pool, publisherId),
    setBudgets: (publisherId, changes, by) => setBudgets(pool, publisherId, changes, by),
    ...{ listInUse, reconcile: (request, caller) => reconcile({ pool, change, notify }, request, caller) },
  });
  const service = catalogRpc({ ...operations, playables, listInUse });
  const ports = await serveRpcPorts(scope, [service], [admin, deadLetterAdmin(bus, log)]);
  await warmUp(scope, warmUps);
  log.info(ports, 'serving RPC');
});
