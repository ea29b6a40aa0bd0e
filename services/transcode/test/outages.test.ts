/** What is nobody's fault costs nothing: object storage that is unavailable, and tools that the kernel kills. */
import { expect } from 'chai';
import { jobCosts } from '@vds/testkit/harness/job-costs';
import { killableProgram } from '@vds/testkit/harness/killed-program';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { requestEncode, requestInspect, uploadSource, waitForTerminalEvent, type UploadedVideo } from './catalog.ts';
import { fastH264, ffmpeg as runFfmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';

describe('outages of what transcode needs', function () {
  this.timeout(120_000);
  let harness: Harness;
  let folder: string;
  let clip: string;
  before(async () => {
    folder = await makeFolder();
    clip = `${folder}/clip.mp4`;
    await runFfmpeg(...picture('160x90', 10, 1), ...tone(1), ...fastH264, '-c:a', 'aac', clip);
    harness = await openHarness({ TIME_SCALE: 'breakerPause=200ms' });
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });
  const costs = (videos: readonly UploadedVideo[]) =>
    jobCosts(
      harness.pool,
      videos.map(({ videoId }) => videoId),
    );
  const completed = async ({ videoId }: UploadedVideo, stage: 'inspect' | 'encode'): Promise<void> => {
    const { subject, payload } = await waitForTerminalEvent(harness, videoId, stage);
    expect(subject, JSON.stringify(payload)).to.equal(`transcode.${stage}.completed.v1`);
  };

  it('while object storage is unavailable the queues pause at no cost, and every video is completed when it is back', async () => {
    const proxy = await openCuttingProxy(harness.media.endpoint);
    const worker = await harness.startWorker({ S3_ENDPOINT: proxy.url, INSPECT_SLOTS: '3' });
    const videos = await Promise.all(Array.from({ length: 4 }, () => uploadSource(harness, clip)));
    const [first] = videos as [UploadedVideo];
    await requestInspect(harness, first);
    await completed(first, 'inspect');
    proxy.refuse();
    await requestEncode(harness, first);
    for (const video of videos.slice(1)) await requestInspect(harness, video);
    await worker.logged('dependency unavailable: queue paused');
    const unready = await fetch(`http://127.0.0.1:${worker.ports.admin}/readyz`).then((response) => response.json());
    expect((unready as { checks: Record<string, string> }).checks).to.include({
      work: 'failing',
    });
    expect(await costs(videos)).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
    proxy.cut();
    await Promise.all(videos.slice(1).map((video) => completed(video, 'inspect')));
    await completed(first, 'encode');
    expect(await costs(videos)).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
    await worker.stop();
    await proxy.close();
  });

  it('an ffprobe and an ffmpeg that are killed blame no source, and the job is tried again', async () => {
    const video = await uploadSource(harness, clip);
    const [ffprobe, ffmpeg] = [killableProgram('ffprobe', folder), killableProgram('ffmpeg', folder)];
    await harness.startWorker({ FFMPEG_PATH: ffmpeg.path });
    ffprobe.killFor(2);
    await requestInspect(harness, video);
    await completed(video, 'inspect');
    const { crashes, ...others } = await costs([video]);
    expect(crashes).to.be.greaterThan(0);
    expect(others).to.deep.equal({ tries: 0, failed: 0 });
    ffmpeg.killFor(2);
    await requestEncode(harness, video);
    await completed(video, 'encode');
    const after = await costs([video]);
    expect(after.crashes).to.be.greaterThan(crashes);
    expect(after).to.include({ tries: 0, failed: 0 });
  });
});
