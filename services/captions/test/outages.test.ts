/** What is nobody's fault costs nothing: object storage that is unavailable, and tools that the kernel kills. */
import { expect } from 'chai';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { jobCosts } from '@vds/testkit/harness/job-costs';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { outlastKilledFfmpeg, outlastStorage } from '@vds/testkit/harness/outages';
import { publishRequest, requestFor, stateOf, statusCounts, terminalEvent } from './catalog.ts';
import { openTwoTrackHarness, type TwoTrackHarness } from './harness.ts';
import { makeFolder, putRendition, removeFolder, silence } from './sounds.ts';

describe('outages of what captions needs', function () {
  this.timeout(120_000);
  let harness: TwoTrackHarness;
  let folder: string;
  let sound: string;
  before(async () => {
    harness = await openTwoTrackHarness({ TIME_SCALE: 'breakerPause=200ms' });
    folder = await makeFolder();
    sound = await putRendition(harness, newVideoId(), [silence(2)]);
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });
  const stage = {
    request: async (): Promise<string> => {
      const videoId = newVideoId();
      await publishRequest(harness, requestFor(videoId, sound, { durationMs: 2_000 }));
      return videoId;
    },
    completed: async (videoId: string): Promise<void> => {
      expect(statusCounts(stateOf(await terminalEvent(harness, videoId)))).to.deep.equal({ ready: 2 });
    },
  };

  it('while object storage is unavailable transcriptions pause at no cost, and every track is made when it is back', async () => {
    const costs = await outlastStorage(harness, harness.media.endpoint, stage);
    expect(costs).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
  });

  it('while the engines are silent transcriptions pause at no cost, and every track is made when they reply again', async () => {
    const proxy = await openCuttingProxy();
    proxy.forwardTo(Number(new URL(harness.engines.url).port));
    const url = `http://127.0.0.1:${proxy.port}`;
    const silent = {
      SPEECH_URL: `${url}/v1`,
      TRANSLATION_URL: url,
      SPEECH_TIMEOUT: '300ms',
      TRANSLATION_TIMEOUT: '300ms',
    };
    const worker = await harness.startWorker({ ...silent, TRANSCRIBE_SLOTS: '4', TIME_SCALE: 'retryDelays=200ms' });
    proxy.dropResponses();
    const videos = [await stage.request(), await stage.request(), await stage.request()];
    await worker.logged('dependency unavailable: queue paused');
    proxy.cut();
    await Promise.all(videos.map(stage.completed));
    expect(await jobCosts(harness.pool)).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
    await worker.stop();
    await proxy.close();
  });

  it('an ffmpeg that is killed costs no try', async () => {
    const { crashes, ...others } = await outlastKilledFfmpeg(harness, folder, stage);
    expect(crashes).to.be.greaterThan(0);
    expect(others).to.deep.equal({ tries: 0, failed: 0 });
  });
});
