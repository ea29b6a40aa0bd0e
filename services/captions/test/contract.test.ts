import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import { bindStage } from '@vds/chassis/stage/run-stages';
import { events } from '@vds/proto/events';
import { faultyProgram } from '@vds/testkit/harness/faulty-program';
import { describeLocks } from '@vds/testkit/contract/locks';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { describeWorker } from '@vds/testkit/contract/worker';
import { finishInProgress } from '../src/domain/caption-job.ts';
import { captionsStage } from '../src/inbound/captions-stage.ts';
import { changeJob } from '../src/inbound/change-job.ts';
import type { Deps, Stage } from '../src/inbound/deps.ts';
import { purgeOf } from '../src/outbound/purge.ts';
import { publishRequest, requestFor } from './catalog.ts';
import { tracksOf } from './clients.ts';
import { openTwoTrackHarness } from './harness.ts';
import { makeFolder, putRendition, removeFolder, silence } from './sounds.ts';

describeWorker({ owner: 'captions', stage: 'captions', runsPrograms: true }, async () => {
  const folder = await makeFolder();
  const harness = await openTwoTrackHarness();
  const sound = await putRendition(harness, newVideoId(), [silence(2)]);
  const ffmpeg = faultyProgram('ffmpeg', folder);
  const { captions } = harness;
  return {
    harness: { ...harness, close: () => harness.close().then(() => removeFolder(folder)) },
    storage: harness.media.endpoint,
    prepare: async () => requestFor(newVideoId(), sound, { durationMs: 2_000 }),
    request: (video, attempt = 1) => publishRequest(harness, { ...video, attempt }),
    settings: { FFMPEG_PATH: ffmpeg.path },
    hold: ffmpeg.hold,
    program: ffmpeg,
    result: (videoId, worker) => orUndefinedIfNotFound(tracksOf(worker, videoId)),
    keys: harness.keys,
    putObject: (key) => captions.client.putObject(captions.bucket, key, 'x'),
    tables: ['caption_jobs', 'transcribed_chunks'],
  };
});

const deps = { metrics: { tracksEnded: () => {} }, targets: ['en', 'es'], garbageAfterMs: 1 } as unknown as Deps;

describeLocks({
  owner: 'captions',
  stage: bindStage(captionsStage, deps),
  queue: 'transcribe',
  purge: { event: events.captionsVideoPurged, tables: purgeOf(deps).tables },
  request: (runtime, videoId) =>
    runtime.deliver(events.captionsRequested, {
      ...{ videoId, attempt: 1, revision: 0, publisherId: 'p' },
      ...{ durationMs: 12_000, hasAudio: true, audioPlaylistKey: 'k', languageCode: 'en' },
    }),
  /** The last track of a video ends, and its stage with it. */
  end: (runtime, client, job) => {
    const owner = { ...job, publisherId: 'p' };
    const stage: Stage = runtime.handle(captionsStage, owner);
    const failed = { status: 'failed', reason: 'engine_error' } as const;
    return changeJob(deps, client, { ...owner, stage }, (before) => finishInProgress(before, failed));
  },
});
