/** Engines that do not answer, for a while or for good. */
import { expect } from 'chai';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { jobCosts } from '@vds/testkit/harness/job-costs';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, stateOf, statusCounts, terminalEvent } from './catalog.ts';
import { openTwoTrackHarness, type TwoTrackHarness } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

describe('captions while engines are silent', function () {
  this.timeout(120_000);
  let harness: TwoTrackHarness;
  let sound: string;
  before(async () => {
    harness = await openTwoTrackHarness({ TIME_SCALE: '0.05,stall=4s,breakerPause=200ms' });
    sound = await putRendition(harness, newVideoId(), [silence(2)]);
  });
  after(() => harness?.close());
  const request = async (): Promise<string> => {
    const videoId = newVideoId();
    await publishRequest(harness, requestFor(videoId, sound, { durationMs: 2_000 }));
    return videoId;
  };

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
    const videos = [await request(), await request(), await request()];
    await worker.logged('dependency unavailable: queue paused');
    proxy.cut();
    for (const videoId of videos)
      expect(statusCounts(stateOf(await terminalEvent(harness, videoId)))).to.deep.equal({ ready: 2 });
    expect(await jobCosts(harness.pool)).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
    await worker.stop();
    await proxy.close();
  });

  it('a translation that hangs ends as failed, and the stage completes with the tracks that are ready', async () => {
    await harness.startWorker();
    const release = harness.engines.hold('translation');
    const videoId = await request();
    const { subject, payload } = await terminalEvent(harness, videoId);
    release();
    expect(subject).to.equal('captions.captions.completed.v1');
    const counts = statusCounts(stateOf({ subject, id: '', payload }));
    expect(counts).to.deep.equal({ ready: 1, 'failed engine_error': 1 });
  });
});
