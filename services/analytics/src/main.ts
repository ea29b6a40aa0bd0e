/** Composition root of analytics: events of views, from the bus into a warehouse of files. */
import { busOptions, connectBus } from '@vds/chassis/bus/bus';
import { openDatabase } from '@vds/chassis/database/database';
import { workAsLeader } from '@vds/chassis/database/leader-lock';
import { startRetention } from '@vds/chassis/database/retention';
import { openObjects } from '@vds/chassis/objects/objects';
import { startPeriodic } from '@vds/chassis/process/periodic';
import { run } from '@vds/chassis/process/run';
import { optional, runStartupChecks } from '@vds/chassis/process/startup-checks';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { analyticsConfig } from './config.ts';
import { analyticsAdmin } from './inbound/admin-rpc.ts';
import { consumeViews } from './inbound/consume-views.ts';
import { createAttribute } from './outbound/attribute.ts';
import { openFilesStore } from './outbound/files-store.ts';
import { createAgentParser } from './outbound/parse-agent.ts';
import { openAuthClient, openCatalogClient } from './outbound/peers.ts';
import { retention } from './outbound/retention.ts';

await run('analytics', analyticsConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const { scratchDir, queryMemory: memoryBytes, keepMs, replacedKeepMs, leaderLeaseMs: leaseMs } = config;
  const pool = await openDatabase(scope, 'analytics', import.meta.url);
  const bus = own('bus', await connectBus(busOptions(scope, 'analytics')));
  const objects = openObjects(config, config.analyticsBucket);
  health.add('objects', objects.check);
  const catalog = own('catalog', openCatalogClient(config.catalogTarget, config));
  const auth = own('auth', openAuthClient(config.authTarget, config));
  const attribute = createAttribute({ video: catalog.video, publisher: auth.publisher });
  const store = openFilesStore({ pool, objects, log, scratchDir, memoryBytes, keepMs, replacedKeepMs });
  const limits = { maxMessages: config.flushEvents, maxBytes: config.flushBytes, everyMs: config.flushEveryMs };
  const consume = consumeViews({ bus, attribute, deviceOf: createAgentParser(), store, limits, log, metrics });

  // One replica writes and merges: two would make twice as many files, and merge the same ones.
  const stopping = new AbortController();
  const leading = workAsLeader({ pool, name: 'analytics-writer', leaseMs }, stopping.signal, async (signal) => {
    log.info('writing events');
    const tidying = startPeriodic({
      log,
      metrics,
      everyMs: config.tidyEveryMs,
      tasks: { tidy: () => store.tidy(signal) },
    });
    await consume(signal);
    await tidying.close();
  });
  own('writer', {
    close: async () => {
      stopping.abort();
      await leading;
    },
  });
  own('retention', startRetention(scope, pool, retention));
  const services = [analyticsAdmin({ store, log })];
  const rpc = own('admin rpc', await serveRpc({ port: config.adminRpcPort, services, log, metrics, config }));
  await runStartupChecks(scope, {
    catalog_credentials: optional(catalog.reach),
    auth_credentials: optional(auth.reach),
  });
  log.info({ admin_rpc_port: rpc.port }, 'serving RPC');
});
