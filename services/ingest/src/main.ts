/** Composition root of ingest: the one place that reads configuration and constructs anything. */
import { deadLetterAdmin } from '@vds/chassis/bus/dead-letters-rpc';
import { startRetention } from '@vds/chassis/database/retention';
import { openObjects } from '@vds/chassis/objects/objects';
import { openUploads } from '@vds/chassis/objects/uploads';
import { run } from '@vds/chassis/process/run';
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { serveAdminRpc } from '@vds/chassis/rpc/rpc';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { openWorker } from '@vds/chassis/stage/worker';
import { workerAdmin } from '@vds/chassis/stage/worker-admin';
import { ingestConfig, OVERDUE_SHARE, UNSIZED_BUFFERS } from './config.ts';
import { fetchShares, fetchStage, overdueShares, type Deps } from './inbound/fetch-stage.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { openCatalogClient } from './outbound/catalog-client.ts';
import { createIngestMetrics } from './outbound/metrics.ts';
import { openNetwork } from './outbound/open-network.ts';
import { keysOfSource, purgeOf } from './outbound/purge.ts';
import { retention } from './outbound/retention.ts';
import { createPartBuffers } from './outbound/part-buffers.ts';

await run('ingest', ingestConfig, async (scope) => {
  const { config, log, metrics, health, own } = scope;
  const worker = await openWorker(scope, 'ingest', import.meta.url);
  const objects = openObjects(config, config.sourcesBucket);
  const uploads = openUploads(config, config.sourcesBucket);

  const catalog = own('catalog', openCatalogClient(config.catalogTarget, config));

  const { pool } = worker;
  const { maxBytes, partBytes, progressEveryMs, totalMs, stallMs, budgetMs } = config;
  const deps: Deps = {
    ...{ pool, log, objects, uploads },
    publish: worker.relay.notify,
    sourceAddress: catalog.sourceAddress,
    open: openNetwork(config),
    buffers: createPartBuffers(UNSIZED_BUFFERS),
    onBytes: createIngestMetrics(metrics).onBytes,
    retry: { delaysMs: config.sourceDelaysMs, windowMs: config.retryWindowMs },
    ...{ maxBytes, partBytes, progressEveryMs, totalMs, stallMs, budgetMs },
  };
  const stages = startStages(config, worker, {
    stages: [bindStage(fetchStage, deps)],
    queues: {
      fetch: { slots: config.fetchSlots, shares: fetchShares },
      'fetch-overdue': { slots: OVERDUE_SHARE * config.fetchSlots, shares: overdueShares },
    },
    purge: purgeOf(objects),
    retryDelaysMs: config.retryDelaysMs,
  });
  const { notify } = own('stages', stages);
  own('retention', startRetention(scope, pool, retention));
  const { startWithinMs, overdueEveryMs: everyMs } = config;
  own('scheduler', startScheduler({ pool, log, metrics, notify, startWithinMs, everyMs }));
  const services = [
    workerAdmin({ pool, objects, namedBy: (key) => keysOfSource(objects, key) }),
    deadLetterAdmin(worker.bus, log),
  ];
  const ports = await serveAdminRpc(scope, services);
  await runStartupChecks(scope, { catalog_reached: catalog.reach });
  log.info(ports, 'serving RPC');
  health.add('bus', worker.bus.check);
  health.add('sources', objects.check);
});
