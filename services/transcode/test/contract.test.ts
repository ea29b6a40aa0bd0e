import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import { faultyProgram } from '@vds/testkit/harness/faulty-program';
import { describeWorker } from '@vds/testkit/contract/worker';
import { requestEncode, requestInspect, uploadSource, waitForTerminalEvent } from './catalog.ts';
import { fastH264, ffmpeg as runFfmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { ladderOf, openHarness } from './harness.ts';

describeWorker({ owner: 'transcode', stage: 'encode', runsPrograms: true }, async () => {
  const folder = await makeFolder();
  const harness = await openHarness();
  const clip = `${folder}/clip.mp4`;
  await runFfmpeg(...picture('160x90', 10, 1), ...tone(1), ...fastH264, '-c:a', 'aac', clip);
  const ffmpeg = faultyProgram('ffmpeg', folder);
  const { media } = harness;
  return {
    harness: { ...harness, close: () => harness.close().then(() => removeFolder(folder)) },
    storage: media.endpoint,
    prepare: async () => {
      const video = await uploadSource(harness, clip);
      await requestInspect(harness, video);
      await waitForTerminalEvent(harness, video.videoId, 'inspect');
      return video;
    },
    request: (video, attempt = 1) => requestEncode(harness, { ...video, attempt }, 1_000),
    settings: { FFMPEG_PATH: ffmpeg.path },
    hold: ffmpeg.hold,
    program: ffmpeg,
    result: (videoId, worker) => orUndefinedIfNotFound(ladderOf(worker, videoId)),
    keys: harness.keys,
    putObject: (key) => media.client.putObject(media.bucket, key, 'x'),
    tables: ['plans', 'job_results', 'ladders'],
  };
});
