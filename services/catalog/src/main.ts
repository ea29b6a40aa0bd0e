/** Composition root of catalog: the one place that reads configuration and constructs anything. */
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import { busOptions, connectBus } from '@vds/chassis/bus/bus';
import { deadLetterAdmin } from '@vds/chassis/bus/dead-letters-rpc';
import { settingsOf } from '@vds/chassis/config/config';
import { openDatabase, openWatchedPool, type Pool } from '@vds/chassis/database/database';
import { startRelay } from '@vds/chassis/database/outbox';
import { startRetention } from '@vds/chassis/database/retention';
import { serveRpcPorts } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { warmUp } from '@vds/chassis/process/warm-up';
import { config as spec, times as timesSpec } from './config.ts';
import { catalogAdminRpc } from './inbound/admin-rpc.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { durableHandlers } from './inbound/events.ts';
import { reconcile } from './inbound/reconcile.ts';
import { catalogRpc, forOperator } from './inbound/rpc.ts';
import { addCorrection, type Correction } from './outbound/audit-rows.ts';
import { openListings } from './outbound/listings.ts';
import { openOperatorReads } from './outbound/operator-reads.ts';
import { createCatalogMetrics } from './outbound/metrics.ts';
import { openOperations } from './outbound/operations.ts';
import { openPrisma } from './outbound/prisma.ts';
import { openPurgeLedger } from './outbound/purge-ledger.ts';
import { listInUse as listVideosInUse, type InUseQuery } from './outbound/reconcile-rows.ts';
import { retentionOf } from './outbound/retention.ts';
import { listUsage, readUsage, setBudgets } from './outbound/usage.ts';

await run('catalog', spec, async (scope) => {
  const { config, log, metrics, own } = scope;
  const pool = await openDatabase(scope, 'catalog', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));
  // Partners and viewers do not queue behind events and periodic tasks.
  const callPool = openWatchedPool(scope, 'catalog', 'rpc', config.databaseRpcPoolSize);
  const callPrisma = own('rpc prisma', openPrisma(callPool));
  const bus = own('bus', await connectBus(busOptions(scope, 'catalog')));
  await bus.ownStream();
  const { notify, ready: relayReady } = own('relay', startRelay({ pool, bus, log, metrics }));

  const times = settingsOf(timesSpec, config);
  const catalogMetrics = createCatalogMetrics(metrics, pool, config.readyWithinMs);
  const shared = { times, notify, onPlan: [catalogMetrics.observe], metrics: catalogMetrics };
  const operationsOver = (connections: Pool) => openOperations({ pool: connections, ...shared });
  const { change } = operationsOver(pool);

  const { unknownFailure: onUnknownFailure, consumed: onEvent, republished: onRepublished } = catalogMetrics;
  const rows = { ...openPurgeLedger(pool), addCorrection: (one: Correction) => addCorrection(pool, one) };
  bus.subscribe(durableHandlers({ change, ...rows, onEvent, onUnknownFailure, log }));
  own('scheduler', startScheduler({ pool, bus, relayReady, change, times, onRepublished, log, metrics }));
  own('retention', startRetention(scope, pool, retentionOf(config)));

  const operations = operationsOver(callPool);
  const listings = openListings(callPool, callPrisma);
  const listInUse = (query: InUseQuery) => listVideosInUse(pool, query);
  const admin = catalogAdminRpc({
    ...operations,
    reads: openOperatorReads(pool, prisma),
    usage: (publisherId) => readUsage(pool, publisherId),
    listUsage: (month, after) => listUsage(pool, month, after),
    setBudgets: (publisherId, changes, by) => setBudgets(pool, publisherId, changes, by),
    reconcile: (request, caller) => reconcile({ pool, change, notify }, request, caller),
  });
  const service = catalogRpc({ ...operations, listings, listInUse });
  const ports = await serveRpcPorts(scope, [service], [forOperator(service), admin, deadLetterAdmin(bus, log)]);
  // Reads of missing entities.
  await warmUp(scope, {
    get: () => operations.load('warm-up', 'warm-up'),
    count: () => operations.dailyCount({ budgetId: 'warm-up', dailyLimit: 1, publisherId: 'warm-up' }),
    playable: () => orUndefinedIfNotFound(listings.playable({ playbackId: '', videoId: '' })),
  });
  log.info(ports, 'serving RPC');
});
