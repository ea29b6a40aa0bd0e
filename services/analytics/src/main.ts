/** Composition root of analytics: events of views, from the bus into a warehouse of files. */
import { busOptions, connectBus } from '@vds/chassis/bus/bus';
import { deadLetterAdmin } from '@vds/chassis/bus/dead-letters-rpc';
import { openDatabase } from '@vds/chassis/database/database';
import { workAsLeader } from '@vds/chassis/database/leader-lock';
import { startRetention } from '@vds/chassis/database/retention';
import { openObjects } from '@vds/chassis/objects/objects';
import { startPeriodic } from '@vds/chassis/process/periodic';
import { run } from '@vds/chassis/process/run';
import { optional, runStartupChecks } from '@vds/chassis/process/startup-checks';
import { serveAdminRpc } from '@vds/chassis/rpc/rpc';
import { sweepScratch } from '@vds/chassis/sandbox/scratch';
import { analyticsConfig, clickhouseOf } from './config.ts';
import { analyticsAdmin } from './inbound/admin-rpc.ts';
import { computeBehaviour } from './inbound/compute-behaviour.ts';
import { consumeViews } from './inbound/consume-views.ts';
import { durableHandlers } from './inbound/events.ts';
import { createAttribute } from './outbound/attribute.ts';
import { openClickHouseStore } from './outbound/clickhouse-store.ts';
import { openFilesStore } from './outbound/files-store.ts';
import { createAgentParser } from './outbound/parse-agent.ts';
import { openAuthClient, openCatalogClient } from './outbound/peers.ts';
import { retention } from './outbound/retention.ts';
import type { EventStore } from './outbound/store.ts';

/** What ends the wait for more events. */
const BATCH = { maxMessages: 5_000, maxBytes: 5_000_000 };

await run('analytics', analyticsConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const { scratchDir, queryMemory: memoryBytes, keepMs, replacedKeepMs, leaderLeaseMs: leaseMs } = config;
  const pool = await openDatabase(scope, 'analytics', import.meta.url);
  const bus = own('bus', await connectBus(busOptions(scope, 'analytics')));
  const objects = openObjects(config, config.analyticsBucket);
  health.add('objects', objects.check);
  const catalog = own('catalog', openCatalogClient(config.catalogTarget, config));
  const auth = own('auth', openAuthClient(config.authTarget, config));
  const peers = { video: catalog.video, publisher: auth.publisher };
  const attribute = createAttribute(peers);
  const clickhouse = clickhouseOf(config);
  await sweepScratch(scratchDir, 'analytics');
  const store: EventStore = clickhouse
    ? own('clickhouse', await openClickHouseStore(clickhouse))
    : openFilesStore({ pool, objects, log, scratchDir, memoryBytes, keepMs, replacedKeepMs });
  const limits = { ...BATCH, everyMs: config.flushEveryMs };
  const consume = consumeViews({ bus, attribute, deviceOf: createAgentParser(), store, limits, log, metrics });

  await bus.ownStream();
  const behaviour = computeBehaviour({ pool, store, publish: bus.publish, log, config });

  const stopping = new AbortController();
  const write = async (signal: AbortSignal): Promise<void> => {
    log.info('writing events');
    const tasks = { compact: () => store.compact(signal), behaviour: () => behaviour(signal) };
    const periodic = startPeriodic({ log, metrics, everyMs: config.compactEveryMs, tasks });
    signal.addEventListener('abort', () => void periodic.close(), { once: true });
    await consume(signal);
    await periodic.close();
  };
  // Of files one replica writes: two would make twice as many, and merge the same ones.
  const writing = clickhouse
    ? write(stopping.signal)
    : workAsLeader({ pool, name: 'analytics-writer', leaseMs, log }, stopping.signal, write);
  own('writer', {
    close: async () => {
      stopping.abort();
      await writing;
    },
  });
  bus.subscribe(durableHandlers({ ...peers, store }));
  own('retention', startRetention(scope, pool, retention));
  const { user: servingUser = '', database = '', cluster } = clickhouse ?? {};
  const access = { bucket: config.analyticsBucket, database, servingUser, cluster, engine: config.store };
  const ports = await serveAdminRpc(scope, [analyticsAdmin({ store, access, log }), deadLetterAdmin(bus, log)]);
  await runStartupChecks(scope, {
    catalog_credentials: optional(catalog.reach),
    auth_credentials: optional(auth.reach),
  });
  log.info(ports, 'serving RPC');
});
