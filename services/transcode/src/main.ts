/** Composition root of transcode. */
import { connectBus } from '@vds/chassis/bus/bus';
import { chooseSandbox } from '@vds/chassis/sandbox/sandbox';
import { openDatabase } from '@vds/chassis/database/database';
import { openObjects } from '@vds/chassis/objects/objects';
import { startRelay } from '@vds/chassis/database/outbox';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { sweepScratch } from '@vds/chassis/sandbox/scratch';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { transcodeConfig } from './config.ts';
import { encode } from './inbound/encode.ts';
import { inspect } from './inbound/inspect.ts';
import { transcodeService } from './inbound/rpc.ts';
import { createTranscodeMetrics } from './outbound/metrics.ts';
import { findLadder } from './outbound/encode-rows.ts';
import { findTools } from './outbound/media-tools.ts';
import { purgeOf } from './outbound/purge.ts';

await run('transcode', transcodeConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const sandbox = await chooseSandbox(metrics);
  const tools = await findTools({ ...config, memoryBytes: config.childMemoryBytes, sandbox, log });
  await sweepScratch(config.scratchDir, 'transcode');

  const pool = await openDatabase(scope, 'transcode', import.meta.url);
  const sources = openObjects(config, config.sourcesBucket);
  const media = openObjects(config, config.mediaBucket);
  health.add('objects', media.check);
  const bus = own('bus', await connectBus({ ...config, service: 'transcode', log, metrics }));
  await bus.ownStream();
  const relay = own('outbox', startRelay({ pool, bus, log, metrics }));

  const deps = {
    pool,
    sources,
    media,
    tools,
    log,
    scratchDir: config.scratchDir,
    limits: config,
    pieceRules: { wholeBelowSeconds: config.wholeBelowMs / 1_000, pieceSeconds: config.pieceMs / 1_000 },
    effort: { preset: config.preset, threads: config.encodeThreads },
    ...createTranscodeMetrics(metrics),
  };
  own(
    'stages',
    startStages({
      ...{ pool, log, metrics, bus, relay, leaseMs: config.leaseMs, renewMs: config.renewMs },
      stages: [bindStage(inspect, deps), bindStage(encode, deps)],
      queues: { inspect: { slots: config.inspectSlots }, encode: { slots: config.encodeSlots } },
      purge: { ...purgeOf(media), slots: config.purgeSlots, againMs: config.purgeAgainMs },
    }),
  );
  const services = [transcodeService((videoId) => findLadder(pool, videoId))];
  const rpc = own('rpc', await serveRpc({ port: config.rpcPort, services, log, metrics, config }));
  log.info({ rpc_port: rpc.port, sandbox }, 'serving RPC');
});
