/** Composition root of metadata. */
import { connectBus } from '@vds/chassis/bus/bus';
import { chooseSandbox } from '@vds/chassis/sandbox/sandbox';
import { openDatabase } from '@vds/chassis/database/database';
import { runStartupChecks } from '@vds/chassis/process/startup-checks';
import { openObjects } from '@vds/chassis/objects/objects';
import { startRelay } from '@vds/chassis/database/outbox';
import { openPurges } from '@vds/chassis/stage/purge';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { sweepScratch } from '@vds/chassis/sandbox/scratch';
import { openStages } from '@vds/chassis/stage/stages';
import { startWorkers } from '@vds/chassis/work/work';
import { metadataConfig } from './config.ts';
import type { Request } from './domain/request.ts';
import { broadcastHandlers, durableHandlers } from './inbound/events.ts';
import { analysisQueue } from './inbound/analysis-jobs.ts';
import { metadataAdmin, metadataService } from './inbound/rpc.ts';
import { beginUnits } from './inbound/units.ts';
import { writeQueue } from './inbound/write-queue.ts';
import { openCatalog } from './outbound/catalog-client.ts';
import { findDocument, forgetRows } from './outbound/analyses.ts';
import { createMetadataMetrics } from './outbound/metrics.ts';
import { openPrisma } from './outbound/prisma.ts';
import { publishPurged, stagePublisher as publisher, type Done } from './outbound/publisher.ts';
import { findTools } from './outbound/tools.ts';

await run('metadata', metadataConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const sandbox = await chooseSandbox();
  const tools = await findTools({ ...config, memoryBytes: config.childMemoryBytes, sandbox, log });
  await sweepScratch(config.scratchDir, 'metadata');

  const pool = await openDatabase(scope, 'metadata', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));
  const media = openObjects(config, config.mediaBucket, { callMs: config.s3TimeoutMs });
  health.add('objects', media.check);
  const catalog = own('catalog', openCatalog(config.catalogTarget, config));
  const bus = own('bus', await connectBus({ ...config, service: 'metadata', log, metrics }));
  await bus.ownStream();
  const relay = own('outbox', startRelay({ pool, bus, log, metrics }));

  const wake = (): void => {
    relay.wake();
    workers.notify();
  };
  const abort = (videoId: string): void => workers.abortGroup(videoId);
  const stages = openStages<Request, Done>({ pool, stage: 'metadata', publisher, wake, begin: beginUnits });
  const purges = openPurges({
    pool,
    log,
    wake,
    abort,
    againMs: config.purgeAgainMs,
    forget: forgetRows,
    say: publishPurged,
  });
  const captions = openObjects(config, config.captionsBucket, { callMs: config.s3TimeoutMs });
  const meters = createMetadataMetrics(metrics, sandbox);
  const deps = { ...config, pool, media, captions, tools, log, meters, stages, describe: catalog.describe };
  const queues = {
    look: analysisQueue(deps, config.lookSlots),
    write: writeQueue(deps, config.writeSlots),
    purge: purges.queue(config.purgeSlots),
  };
  const workers = own('workers', startWorkers({ ...config, pool, log, metrics, afterSettle: wake, queues }));
  const events = { stages, askPurge: purges.ask, abort };
  bus.subscribe(durableHandlers(events));
  bus.watch(broadcastHandlers(events));

  const find = (videoId: string) => findDocument(prisma, videoId);
  const served = { log, metrics, config };
  const rpc = own('rpc', await serveRpc({ ...served, port: config.rpcPort, services: [metadataService(find)] }));
  const admin = own(
    'admin rpc',
    await serveRpc({ ...served, port: config.adminRpcPort, services: [metadataAdmin(find)] }),
  );
  await runStartupChecks(scope, { catalog_reached: catalog.reach });
  log.info({ rpc_port: rpc.port, admin_rpc_port: admin.port, sandbox }, 'serving RPC');
});
