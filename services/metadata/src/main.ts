/** Composition root of metadata. */
import { deadLetterAdmin } from '@vds/chassis/bus/dead-letters-rpc';
import { openEmbedder } from '@vds/chassis/embeddings/open-embedder';
import { openLiveVideos } from '@vds/chassis/cache/live-videos';
import { startRetention } from '@vds/chassis/database/retention';
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { openObjects } from '@vds/chassis/objects/objects';
import { serveRpcPorts } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { openSandbox } from '@vds/chassis/sandbox/tools';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { openWorker } from '@vds/chassis/stage/worker';
import { workerAdmin } from '@vds/chassis/stage/worker-admin';
import { metadataConfig } from './config.ts';
import type { Deps } from './inbound/deps.ts';
import { broadcastHandlers } from './inbound/events.ts';
import { metadataStage } from './inbound/metadata-stage.ts';
import { forOperator, metadataService } from './inbound/rpc.ts';
import { openCatalogClient } from './outbound/catalog-client.ts';
import { findDocument } from './outbound/analyses.ts';
import { appsReads } from './outbound/apps-reads.ts';
import { createMetadataMetrics } from './outbound/metrics.ts';
import { purge } from './outbound/purge.ts';
import { retentionOf } from './outbound/retention.ts';
import { findTools } from './outbound/tools.ts';

await run('metadata', metadataConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const sandbox = await openSandbox(scope, 'metadata');
  const tools = await findTools(sandbox, config.ffmpegPath);
  const embedder = await openEmbedder(scope, sandbox);
  if (embedder) own('embeddings', embedder);

  const worker = await openWorker(scope, 'metadata', import.meta.url);
  const { pool } = worker;
  const media = openObjects(config, config.mediaBucket);
  health.add('objects', media.check);
  const catalog = own('catalog', openCatalogClient(config.catalogTarget, config));

  const captions = openObjects(config, config.captionsBucket);
  const metadataMetrics = createMetadataMetrics(metrics);
  const { scratchDir, readingsPerMinute, stallMs, budgetMs } = config;
  const deps: Deps = {
    ...{ pool, media, captions, tools, log, scratchDir, readingsPerMinute, stallMs, budgetMs },
    metrics: metadataMetrics,
    describe: catalog.describe,
    embedder,
  };
  const stages = startStages(config, worker, {
    stages: [bindStage(metadataStage, deps)],
    queues: { analyze: { slots: config.analyzeSlots }, document: { slots: config.analyzeSlots } },
    purge,
  });
  own('stages', stages);
  own('retention', startRetention(scope, pool, retentionOf(config)));

  const find = (videoId: string) => findDocument(pool, videoId);
  const live = own('live videos', openLiveVideos({ config, log, ...appsReads(captions, find) }));
  worker.bus.watch(broadcastHandlers(live));
  const service = metadataService({ find, live });
  const adminServices = [forOperator(service), workerAdmin({ pool }), deadLetterAdmin(worker.bus, log)];
  const ports = await serveRpcPorts(scope, [service], adminServices);
  await runStartupChecks(scope, { catalog_reached: catalog.reach });
  log.info({ ...ports, sandbox: sandbox.sandbox.level }, 'serving RPC');
});
