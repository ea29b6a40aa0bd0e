/** Composition root of captions. */
import { settingsOf } from '@vds/chassis/config/config';
import { deadLetterAdmin } from '@vds/chassis/bus/dead-letters-rpc';
import { startRetention } from '@vds/chassis/database/retention';
import { openLiveVideos } from '@vds/chassis/cache/live-videos';
import { openObjects } from '@vds/chassis/objects/objects';
import { optional, runStartupChecks } from '@vds/chassis/process/startup-checks';
import { serveRpcPorts } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { openSandbox } from '@vds/chassis/sandbox/tools';
import { bindStage, startStages } from '@vds/chassis/stage/run-stages';
import { openVideosInUse } from '@vds/chassis/stage/videos-in-use';
import { openWorker } from '@vds/chassis/stage/worker';
import { workerAdmin } from '@vds/chassis/stage/worker-admin';
import { captionsConfig, checkTogether, engineConfig, targetsOf } from './config.ts';
import { captionsAdmin } from './inbound/admin-rpc.ts';
import { captionsStage } from './inbound/captions-stage.ts';
import type { Deps } from './inbound/deps.ts';
import { broadcastHandlers } from './inbound/events.ts';
import { captionsService, forOperator } from './inbound/rpc.ts';
import { reportCoverage } from './inbound/report-coverage.ts';
import { openCoverage } from './outbound/coverage.ts';
import { chooseEngines } from './outbound/choose-engines.ts';
import { instrumentSpeech, instrumentTranslation } from './outbound/instrumented-engines.ts';
import { createCaptionsMetrics } from './outbound/metrics.ts';
import { purgeOf } from './outbound/purge.ts';
import { retentionOf } from './outbound/retention.ts';
import { findSoundTools } from './outbound/sound.ts';
import { findTracks } from './outbound/caption-rows.ts';
import { inventoryOf, transcriptReads } from './outbound/track-store.ts';

await run('captions', captionsConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  checkTogether(config);
  const sandbox = await openSandbox(scope, 'captions');
  const { scratchDir, transcribeSlots, translateSlots, chunkMs, garbageAfterMs, stallMs, budgetMs, soundCues } = config;
  const sound = await findSoundTools(sandbox, config.ffmpegPath);
  const engines = { ...settingsOf(engineConfig, config), sandbox, scratchDir, transcribeSlots, translateSlots };
  const { speech, translation } = await chooseEngines(engines);
  own('engines', { close: async () => void (await Promise.all([speech.close?.(), translation.close?.()])) });
  const coverage = openCoverage({ speech, translation, everyMs: config.surveyEveryMs, log });
  const targets = targetsOf(config);

  const worker = await openWorker(scope, 'captions', import.meta.url);
  const { pool, bus } = worker;
  const [media, captions] = [openObjects(config, config.mediaBucket), openObjects(config, config.captionsBucket)];
  health.add('objects', captions.check);
  const inUse = own('catalog', openVideosInUse(config));

  const captionsMetrics = createCaptionsMetrics(metrics);
  const deps: Deps = {
    ...{ pool, log, media, captions, inUse, coverage, targets, sound },
    ...{ scratchDir, chunkMs, garbageAfterMs, stallMs, budgetMs, soundCues },
    metrics: captionsMetrics,
    speech: instrumentSpeech(speech, captionsMetrics, coverage),
    translate: instrumentTranslation(translation, captionsMetrics, coverage),
  };
  const stages = startStages(config, worker, {
    stages: [bindStage(captionsStage, deps)],
    queues: { transcribe: { slots: transcribeSlots }, translate: { slots: translateSlots } },
    purge: purgeOf(deps),
    retryDelaysMs: config.retryDelaysMs,
  });
  own('stages', stages);
  own('retention', startRetention(scope, pool, retentionOf(config)));

  const find = (videoId: string) => findTracks(pool, videoId);
  const live = own('live videos', openLiveVideos({ config, log, ...transcriptReads(captions) }));
  bus.watch(broadcastHandlers(live));
  const service = captionsService({ find, live });
  const operator = captionsAdmin({ ...deps, stages, find, coverage });
  const inventory = workerAdmin(inventoryOf(pool, captions));
  const adminServices = [forOperator(service), operator, inventory, deadLetterAdmin(bus, log)];
  const ports = await serveRpcPorts(scope, [service], adminServices);
  await runStartupChecks(scope, { catalog_credentials: optional(inUse.reach) });
  log.info({ ...ports, sandbox: sandbox.sandbox.level }, 'serving RPC');
  // Not awaited: an engine that does not reply must not keep the service from serving.
  reportCoverage(coverage, targets, log).catch((error: unknown) => log.error({ err: error }, 'coverage not reported'));
});
