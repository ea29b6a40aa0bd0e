/** Composition root of captions. */
import { connectBus } from '@vds/chassis/bus/bus';
import { chooseSandbox } from '@vds/chassis/sandbox/sandbox';
import { openDatabase } from '@vds/chassis/database/database';
import { openObjects } from '@vds/chassis/objects/objects';
import { startRelay } from '@vds/chassis/database/outbox';
import { openPurges } from '@vds/chassis/stage/purge';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { sweepScratch } from '@vds/chassis/sandbox/scratch';
import { openStages } from '@vds/chassis/stage/stages';
import { captionsConfig, checkTogether, targetsOf } from './config.ts';
import { captionsAdmin } from './inbound/admin-rpc.ts';
import { beginTitle } from './inbound/begin.ts';
import { broadcastHandlers, durableHandlers } from './inbound/events.ts';
import { purgeRules } from './inbound/purges.ts';
import { startQueues } from './inbound/queues.ts';
import { retryTracks } from './inbound/retry.ts';
import { requestRepublish, republishQueue } from './inbound/republish.ts';
import { captionsService } from './inbound/rpc.ts';
import { reportCoverage } from './inbound/report-coverage.ts';
import { openCoverage } from './outbound/coverage.ts';
import { chooseEngines } from './outbound/choose-engines.ts';
import { instrumentSpeech, instrumentTranslation } from './outbound/instrumented-engines.ts';
import { createCaptionsMetrics } from './outbound/metrics.ts';
import { openPrisma } from './outbound/prisma.ts';
import { stagePublisher } from './outbound/publisher.ts';
import { findSoundTools } from './outbound/sound.ts';
import { findTracks } from './outbound/titles.ts';

await run('captions', captionsConfig, async (scope) => {
  const { config, log, health, metrics, own } = scope;
  checkTogether(config);
  const sandbox = await chooseSandbox();
  const sound = await findSoundTools({ ...config, memoryBytes: config.childMemoryBytes, sandbox, log });
  await sweepScratch(config.scratchDir, 'captions');
  const { speech, translation } = await chooseEngines({ ...config, sandbox, log });
  const coverage = openCoverage({ speech, translation, everyMs: config.surveyEveryMs, log });
  const targets = targetsOf(config);

  const pool = await openDatabase(scope, 'captions', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));
  const media = openObjects(config, config.mediaBucket, { callMs: config.s3TimeoutMs });
  const captions = openObjects(config, config.captionsBucket, { callMs: config.s3TimeoutMs });
  health.add('objects', captions.check);
  const bus = own('bus', await connectBus({ ...config, service: 'captions', log, metrics }));
  await bus.ownStream(() => requestRepublish(pool));
  const relay = own('outbox', startRelay({ pool, bus, log, metrics }));

  const wake = (): void => {
    relay.wake();
    workers.notify();
  };
  const abort = (videoId: string): void => workers.abortGroup(videoId);
  const stages = openStages({ pool, stage: 'captions', publisher: stagePublisher, wake, begin: beginTitle(targets) });
  const meters = createCaptionsMetrics(metrics, sandbox);
  const place = {
    ...{ pool, media, captions, stages, coverage, targets, sound, meters, log, wake },
    hear: instrumentSpeech(speech, meters, coverage),
    translate: instrumentTranslation(translation, meters, coverage),
    scratchDir: config.scratchDir,
    pieceMs: config.pieceMs,
    tidyAfterMs: config.tidyAfterMs,
  };
  const purges = openPurges({ pool, log, wake, abort, againMs: config.purgeAgainMs, ...purgeRules(place) });
  const say = republishQueue({ pool, bus, log, withinMs: config.sayAgainWithinMs });
  const others = { purge: purges.queue(config.purgeSlots), say };
  const workers = own('workers', startQueues(place, others, config, metrics));
  bus.subscribe(durableHandlers({ stages, purges, abort }));
  bus.watch(broadcastHandlers({ stages, purges, abort }));

  const find = (videoId: string) => findTracks(prisma, videoId);
  const served = { log, metrics, config };
  const forStaff = captionsAdmin({ find, retry: retryTracks(place), coverage, targets });
  const rpc = own('rpc', await serveRpc({ ...served, port: config.rpcPort, services: [captionsService(find)] }));
  const admin = own('admin rpc', await serveRpc({ ...served, port: config.adminRpcPort, services: [forStaff] }));
  log.info({ rpc_port: rpc.port, admin_rpc_port: admin.port, sandbox }, 'serving RPC');
  // Not awaited: an engine that does not answer must not keep the service from serving.
  reportCoverage(coverage, targets, log).catch((error: unknown) => log.error({ err: error }, 'no coverage to show'));
});
