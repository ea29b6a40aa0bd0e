/** Composition root of metadata. */
import { connectBus } from '@vds/chassis/bus/bus';
import { chooseSandbox } from '@vds/chassis/sandbox/sandbox';
import { openDatabase } from '@vds/chassis/database/database';
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { openObjects } from '@vds/chassis/objects/objects';
import { startRelay } from '@vds/chassis/database/outbox';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { sweepScratch } from '@vds/chassis/sandbox/scratch';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { events } from '@vds/proto/events';
import { metadataConfig } from './config.ts';
import { metadata } from './inbound/metadata-stage.ts';
import { metadataAdmin, metadataService } from './inbound/rpc.ts';
import { openCatalogClient } from './outbound/catalog-client.ts';
import { findDocument } from './outbound/analyses.ts';
import { createMetadataMetrics } from './outbound/metrics.ts';
import { findTools } from './outbound/tools.ts';

await run('metadata', metadataConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const sandbox = await chooseSandbox(metrics);
  const tools = await findTools({ ...config, memoryBytes: config.childMemoryBytes, sandbox, log });
  await sweepScratch(config.scratchDir, 'metadata');

  const pool = await openDatabase(scope, 'metadata', import.meta.url);
  const media = openObjects(config, config.mediaBucket, { callMs: config.s3TimeoutMs });
  health.add('objects', media.check);
  const catalog = own('catalog', openCatalogClient(config.catalogTarget, config));
  const bus = own('bus', await connectBus({ ...config, service: 'metadata', log, metrics }));
  await bus.ownStream();
  const relay = own('outbox', startRelay({ pool, bus, log, metrics }));

  const captions = openObjects(config, config.captionsBucket, { callMs: config.s3TimeoutMs });
  const metadataMetrics = createMetadataMetrics(metrics);
  const deps = { ...config, pool, media, captions, tools, log, metrics: metadataMetrics, describe: catalog.describe };
  own(
    'stages',
    startStages({
      ...{ ...config, pool, log, metrics, bus, relay },
      stages: [bindStage(metadata, deps)],
      queues: { analyze: { slots: config.analyzeSlots }, document: { slots: config.documentSlots } },
      purge: {
        ...{ event: events.metadataVideoPurged, tables: ['analyses', 'revisions'] },
        ...{ slots: config.purgeSlots, againMs: config.purgeAgainMs },
      },
    }),
  );

  const find = (videoId: string) => findDocument(pool, videoId);
  const served = { log, metrics, config };
  const rpc = own('rpc', await serveRpc({ ...served, port: config.rpcPort, services: [metadataService(find)] }));
  const admin = own(
    'admin rpc',
    await serveRpc({ ...served, port: config.adminRpcPort, services: [metadataAdmin(find)] }),
  );
  await runStartupChecks(scope, { catalog_reached: catalog.reach });
  log.info({ rpc_port: rpc.port, admin_rpc_port: admin.port, sandbox }, 'serving RPC');
});
