/** Composition root of captions. */
import { connectBus } from '@vds/chassis/bus/bus';
import { chooseSandbox } from '@vds/chassis/sandbox/sandbox';
import { openDatabase } from '@vds/chassis/database/database';
import { openObjects } from '@vds/chassis/objects/objects';
import { startRelay } from '@vds/chassis/database/outbox';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { sweepScratch } from '@vds/chassis/sandbox/scratch';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { captionsConfig, checkTogether, targetsOf } from './config.ts';
import { captionsAdmin } from './inbound/admin-rpc.ts';
import { captions as captionsStage } from './inbound/captions-stage.ts';
import { purgeOf } from './inbound/collect-garbage.ts';
import { rerunTracks, type RerunRequest } from './inbound/rerun-tracks.ts';
import { requestRepublish, republishQueue } from './inbound/republish.ts';
import { captionsService } from './inbound/rpc.ts';
import { reportCoverage } from './inbound/report-coverage.ts';
import { openCoverage } from './outbound/coverage.ts';
import { chooseEngines } from './outbound/choose-engines.ts';
import { instrumentSpeech, instrumentTranslation } from './outbound/instrumented-engines.ts';
import { createCaptionsMetrics } from './outbound/metrics.ts';
import { findSoundTools } from './outbound/sound.ts';
import { findTracks } from './outbound/caption-rows.ts';

await run('captions', captionsConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  checkTogether(config);
  const sandbox = await chooseSandbox(metrics);
  const sound = await findSoundTools({ ...config, memoryBytes: config.childMemoryBytes, sandbox, log });
  await sweepScratch(config.scratchDir, 'captions');
  const { speech, translation } = await chooseEngines({ ...config, sandbox, log });
  const coverage = openCoverage({ speech, translation, everyMs: config.surveyEveryMs, log });
  const targets = targetsOf(config);

  const pool = await openDatabase(scope, 'captions', import.meta.url);
  const media = openObjects(config, config.mediaBucket, { callMs: config.s3TimeoutMs });
  const captions = openObjects(config, config.captionsBucket, { callMs: config.s3TimeoutMs });
  health.add('objects', captions.check);
  const bus = own('bus', await connectBus({ ...config, service: 'captions', log, metrics }));
  await bus.ownStream(() => requestRepublish(pool));
  const relay = own('outbox', startRelay({ pool, bus, log, metrics }));

  const captionsMetrics = createCaptionsMetrics(metrics);
  const deps = {
    ...{ pool, media, captions, coverage, targets, sound, metrics: captionsMetrics, log },
    ...{ scratchDir: config.scratchDir, chunkMs: config.chunkMs, garbageAfterMs: config.garbageAfterMs },
    transcribe: instrumentSpeech(speech, captionsMetrics, coverage),
    translate: instrumentTranslation(translation, captionsMetrics, coverage),
  };
  const { engineTries: maxTries } = config;
  const stages = own(
    'stages',
    startStages({
      ...{ ...config, pool, log, metrics, bus, relay },
      stages: [bindStage(captionsStage, deps)],
      queues: {
        transcribe: { slots: config.transcribeSlots, maxTries },
        translate: { slots: config.translateSlots, maxTries },
      },
      purge: { ...purgeOf(deps), slots: config.purgeSlots, againMs: config.purgeAgainMs },
      otherQueues: { republish: republishQueue({ pool, bus, log, withinMs: config.republishWithinMs }) },
    }),
  );

  const find = (videoId: string) => findTracks(pool, videoId);
  const rerun = (request: RerunRequest) => rerunTracks({ ...deps, stages }, request);
  const served = { log, metrics, config };
  const operator = captionsAdmin({ find, rerun, coverage, targets });
  const rpc = own('rpc', await serveRpc({ ...served, port: config.rpcPort, services: [captionsService(find)] }));
  const admin = own('admin rpc', await serveRpc({ ...served, port: config.adminRpcPort, services: [operator] }));
  log.info({ rpc_port: rpc.port, admin_rpc_port: admin.port, sandbox }, 'serving RPC');
  // Not awaited: an engine that does not reply must not keep the service from serving.
  reportCoverage(coverage, targets, log).catch((error: unknown) =>
    log.error({ err: error }, 'coverage could not be reported'),
  );
});
