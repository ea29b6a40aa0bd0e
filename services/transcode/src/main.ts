/** Composition root of transcode. */
import { cpus } from 'node:os';
import { deadLetterAdmin } from '@vds/chassis/bus/dead-letters-rpc';
import { startRetention } from '@vds/chassis/database/retention';
import { openObjects } from '@vds/chassis/objects/objects';
import { serveRpcPorts } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { openSandbox } from '@vds/chassis/sandbox/tools';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { openWorker } from '@vds/chassis/stage/worker';
import { workerAdmin } from '@vds/chassis/stage/worker-admin';
import { transcodeConfig } from './config.ts';
import type { Deps } from './inbound/deps.ts';
import { encodeStage } from './inbound/encode-stage.ts';
import { inspectStage } from './inbound/inspect-stage.ts';
import { transcodeService } from './inbound/rpc.ts';
import { fixedLimits } from './domain/source/policy.ts';
import { createTranscodeMetrics } from './outbound/metrics.ts';
import { findBegun, findLadder } from './outbound/encode-rows.ts';
import { readLadderFiles } from './outbound/ladder-files.ts';
import { findTools } from './outbound/media-tools.ts';
import { purgeOf } from './outbound/purge.ts';
import { retention } from './outbound/retention.ts';

await run('transcode', transcodeConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  const sandbox = await openSandbox(scope, 'transcode');
  const { ffmpegPath, programsMemoryBytes = Infinity } = config;
  const tools = await findTools(sandbox, ffmpegPath);

  const worker = await openWorker(scope, 'transcode', import.meta.url);
  const { pool } = worker;
  const sources = openObjects(config, config.sourcesBucket);
  const media = openObjects(config, config.mediaBucket);
  health.add('objects', media.check);
  const namedBy = async (key: string) => (await readLadderFiles(media, key)).keys;

  const { maxDurationMs, maxWork } = config;
  const deps: Deps = {
    pool,
    log,
    sources,
    media,
    tools,
    limits: { ...fixedLimits, maxDurationMs, maxWork },
    planRules: {
      wholeBelowSeconds: config.wholeBelowMs / 1_000,
      pieceSeconds: config.pieceMs / 1_000,
      copyTop: true,
      audioTracks: config.audioTracks,
      largestRung: Number(config.largestRung),
    },
    effort: { preset: config.preset, crf: config.crf, threads: config.encodeThreads },
    machine: { cores: cpus().length, memoryBytes: Math.min(config.childMemoryBytes, programsMemoryBytes) },
    ...createTranscodeMetrics(metrics),
    scratchDir: config.scratchDir,
    stallMs: config.stallMs,
    budgetMs: config.budgetMs,
  };
  const stages = startStages(config, worker, {
    stages: [bindStage(inspectStage, deps), bindStage(encodeStage, deps)],
    queues: { inspect: { slots: config.inspectSlots }, encode: { slots: config.encodeSlots } },
    purge: purgeOf(media, namedBy),
  });
  own('stages', stages);
  own('retention', startRetention(scope, pool, retention));
  const service = transcodeService({
    find: (videoId) => findLadder(pool, videoId),
    findBegun: (videoId) => findBegun(pool, videoId),
  });
  const adminServices = [service, workerAdmin({ pool, objects: media, namedBy }), deadLetterAdmin(worker.bus, log)];
  const ports = await serveRpcPorts(scope, [service], adminServices);
  log.info({ ...ports, sandbox: sandbox.sandbox.level }, 'serving RPC');
});
