/** Composition root of catalog: the one place that reads configuration and constructs anything. */
import { connectBus } from '@vds/chassis/bus/bus';
import { openDatabase } from '@vds/chassis/database/database';
import { startRelay } from '@vds/chassis/database/outbox';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { config as spec } from './config.ts';
import { catalogAdminRpc } from './inbound/admin-rpc.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { durableHandlers, broadcastHandlers } from './inbound/events.ts';
import { catalogRpc } from './inbound/rpc.ts';
import { confirmPurge, type PurgeAnswer } from './outbound/confirm-purge.ts';
import { createVideo, dailyCount, type Accepted, type NewVideo } from './outbound/create-video.ts';
import { openListings } from './outbound/listings.ts';
import { createCatalogMetrics } from './outbound/metrics.ts';
import { openPlayables } from './outbound/playables.ts';
import { openPrisma } from './outbound/prisma.ts';
import { makeAllDue, republish } from './outbound/republish.ts';
import { loadSnapshot } from './outbound/snapshots.ts';
import { dueVideos, tryAcquire } from './outbound/leader-lock.ts';
import { openVideoStore } from './outbound/video-store.ts';

await run('catalog', spec, async (scope) => {
  const { config, log, metrics, own } = scope;
  const pool = await openDatabase(scope, 'catalog', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));
  const bus = own('bus', await connectBus({ ...config, service: 'catalog', log, metrics }));
  await bus.ownStream(() => makeAllDue(pool));
  const { wake } = own('relay', startRelay({ pool, bus, log, metrics }));

  const { accepted, refused, said, unknownFailure, observe } = createCatalogMetrics(
    metrics,
    pool,
    config.readyWithinMs,
  );
  const listings = openListings(pool, prisma);
  const playables = openPlayables(listings.playable, { log, metrics });
  const { change } = openVideoStore({
    pool,
    prisma,
    times: config,
    wake,
    observe: (plan, now) => {
      observe(plan, now);
      playables.drop(plan.video.id, plan.video.version);
    },
  });
  const load = (id: string, publisherId?: string) => loadSnapshot(pool, id, publisherId);
  const create = async (video: NewVideo, leftMs: () => number): Promise<Accepted> => {
    const result = await createVideo(pool, video, config.remindFirstMs, leftMs);
    if (result.made) accepted();
    if (!result.accepted) refused();
    wake();
    return result;
  };

  const confirm = (answer: PurgeAnswer) => confirmPurge(pool, answer);
  bus.subscribe(durableHandlers({ change, confirmPurge: confirm, unknownFailure, log }));
  bus.watch(broadcastHandlers(playables));
  const rounds = {
    tryAcquire: (name: string, gapMs: number) => tryAcquire(pool, name, gapMs),
    dueVideos: () => dueVideos(pool),
    change,
    sayAgain: (most: number) => republish({ pool, bus, remindEveryMs: config.remindEveryMs, said }, most),
  };
  own('clock', startScheduler(rounds, config, log));

  const count = (budgetId: string, limit: number) => dailyCount(pool, budgetId, limit);
  const forRooms = catalogRpc({ create, dailyCount: count, load, change, listings, playables });
  const forStaff = catalogAdminRpc({ load, change, listings });
  const served = { log, metrics, config };
  const rpc = own('rpc', await serveRpc({ ...served, port: config.rpcPort, services: [forRooms] }));
  const admin = own('admin rpc', await serveRpc({ ...served, port: config.adminRpcPort, services: [forStaff] }));
  log.info({ rpc_port: rpc.port, admin_rpc_port: admin.port }, 'serving RPC');
});
