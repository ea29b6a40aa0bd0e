/** Composition root of metadata. */
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { openObjects } from '@vds/chassis/objects/objects';
import { serveRpcPorts } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { openSandbox } from '@vds/chassis/sandbox/tools';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { openWorker } from '@vds/chassis/stage/worker';
import { workerAdmin } from '@vds/chassis/stage/worker-admin';
import { events } from '@vds/proto/events';
import { metadataConfig } from './config.ts';
import { metadataStage } from './inbound/metadata-stage.ts';
import { metadataAdmin, metadataService } from './inbound/rpc.ts';
import { openCatalogClient } from './outbound/catalog-client.ts';
import { findDocument } from './outbound/analyses.ts';
import { createMetadataMetrics } from './outbound/metrics.ts';
import { findTools } from './outbound/tools.ts';

await run('metadata', metadataConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const sandbox = await openSandbox(scope, 'metadata');
  const tools = await findTools({ ...config, ...sandbox });

  const worker = await openWorker(scope, 'metadata', import.meta.url);
  const { pool } = worker;
  const media = openObjects(config, config.mediaBucket);
  health.add('objects', media.check);
  const catalog = own('catalog', openCatalogClient(config.catalogTarget, config));

  const captions = openObjects(config, config.captionsBucket);
  const metadataMetrics = createMetadataMetrics(metrics);
  const deps = { ...config, pool, media, captions, tools, log, metrics: metadataMetrics, describe: catalog.describe };
  own(
    'stages',
    startStages({
      ...{ ...config, ...worker },
      stages: [bindStage(metadataStage, deps)],
      queues: { analyze: { slots: config.analyzeSlots }, document: { slots: config.documentSlots } },
      purge: { event: events.metadataVideoPurged, tables: ['analyses', 'revisions'] },
    }),
  );

  const find = (videoId: string) => findDocument(pool, videoId);
  const ports = await serveRpcPorts(scope, [metadataService(find)], [metadataAdmin(find), workerAdmin({ pool })]);
  await runStartupChecks(scope, { catalog_reached: catalog.reach });
  log.info({ ...ports, sandbox: sandbox.sandbox }, 'serving RPC');
});
