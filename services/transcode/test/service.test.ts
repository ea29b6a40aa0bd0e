/** The stages' contract with the other services: events and RPC responses. */
import { join } from 'node:path';
import { expect } from 'chai';
import { requestEncode, waitForTerminalEvent, transcode, uploadSource } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { ladderOf, openHarness, type Harness, type Worker } from './harness.ts';

describe('transcode service', function () {
  this.timeout(90_000);
  let harness: Harness;
  let folder: string;
  let worker: Worker;
  const at = (name: string): string => join(folder, name);
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({ TIME_SCALE: '0.05,purgeAgain=1h' });
    worker = await harness.startWorker();
    await ffmpeg(...picture('160x90', 25, 3), ...tone(3), ...fastH264, '-c:a', 'aac', at('short.mp4'));
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('each event of a video is published once, in order, and GetLadder returns the ladder', async () => {
    const { videoId, encoded } = await transcode(harness, at('short.mp4'));
    const subjects = harness.published
      .filter(({ payload }) => payload['videoId'] === videoId)
      .map(({ subject }) => subject);
    expect(subjects.filter((subject) => !subject.includes('progressed'))).to.deep.equal([
      'transcode.inspect.started.v1',
      'transcode.inspect.completed.v1',
      'transcode.encode.started.v1',
      'transcode.audio.completed.v1',
      'transcode.encode.completed.v1',
    ]);
    const ladder = await ladderOf(worker, videoId);
    expect(ladder).to.deep.include({ videoId, attempt: 1, ladderKey: encoded['ladderKey'], durationMs: 3_000 });
    expect(encoded).to.include({ hasAudio: true, audioPlaylistKey: ladder?.audio?.playlistKey });
    expect(ladder?.rungs?.map((rung) => [rung.name, rung.frameRate])).to.deep.equal([['90p', 25]]);
    const keys = await harness.keys(videoId);
    expect(keys).to.include.members([ladder?.ladderKey, ladder?.thumbnailKey, ladder?.audio?.playlistKey]);
    expect(harness.of(videoId, 'audio.completed')[0]?.payload).to.include({
      audioPlaylistKey: ladder?.audio?.playlistKey,
    });
  });

  it('an encode request of an inspected source without a plan inspects it again', async () => {
    const video = await uploadSource(harness, at('short.mp4'));
    await requestEncode(harness, video, 1_000);
    expect((await waitForTerminalEvent(harness, video.videoId, 'encode')).subject).to.equal(
      'transcode.encode.completed.v1',
    );
    expect(harness.of(video.videoId, 'audio.completed')).to.have.length(1);
  });
});
