import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import { bindStage } from '@vds/chassis/stage/run-stages';
import { events, type stageEvents } from '@vds/proto/events';
import { faultyProgram } from '@vds/testkit/harness/faulty-program';
import { describeLocks } from '@vds/testkit/contract/locks';
import { describeWorker } from '@vds/testkit/contract/worker';
import type { Deps, MetadataJob } from '../src/inbound/deps.ts';
import { metadataStage } from '../src/inbound/metadata-stage.ts';
import { purge } from '../src/outbound/purge.ts';
import { getMetadata, requestMetadata, storeVideo } from './catalog.ts';
import { openHarness } from './harness.ts';
import { makeFolder, removeFolder, render, upload } from './renditions.ts';

describeWorker({ owner: 'metadata', stage: 'metadata', runsPrograms: true }, async () => {
  const folder = await makeFolder();
  const harness = await openHarness({ READINGS_PER_MINUTE: '0' });
  const graph = 'testsrc2=s=256x144:r=10,trim=0:2,setsar=1[picture]';
  const renditions = await render(folder, { graph, seconds: 2, sound: false, rungs: [[256, 144]], rate: 10 });
  const ffmpeg = faultyProgram('ffmpeg', folder);
  return {
    harness: { ...harness, close: () => harness.close().then(() => removeFolder(folder)) },
    storage: harness.media.endpoint,
    prepare: () => storeVideo(harness, renditions),
    request: async (video, attempt = 1) => {
      const ladderKey = attempt === 1 ? video.ladderKey : await upload(harness, video.videoId, renditions, attempt);
      await requestMetadata(harness, { ...video, attempt, ladderKey });
    },
    settings: { FFMPEG_PATH: ffmpeg.path },
    hold: ffmpeg.hold,
    program: ffmpeg,
    result: (videoId, worker) => orUndefinedIfNotFound(getMetadata(worker, videoId)),
    keys: async () => [],
    tables: ['analyses', 'revisions'],
  };
});

describeLocks({
  owner: 'metadata',
  stage: bindStage(metadataStage, {} as Deps),
  queue: 'analyze',
  purge,
  request: (runtime, videoId) =>
    runtime.deliver(events.metadataRequested, {
      ...{ videoId, attempt: 1, revision: 0, publisherId: 'p', durationMs: 2_000, ladderKey: 'k' },
      ...{ hasAudio: false, audioPlaylistKey: '', transcriptKey: '' },
    }),
  end: async (runtime, client, job) => {
    const owner = { ...job, publisherId: 'p' };
    const stage = runtime.handle<MetadataJob, typeof stageEvents.metadata>(metadataStage, owner);
    await stage.lock(client);
    await stage.complete(client, {});
  },
});
