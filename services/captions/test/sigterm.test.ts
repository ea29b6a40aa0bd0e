import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { terminateDuringWork, released } from '@vds/testkit/harness/terminate-during-work';
import { until } from '@vds/testkit/until';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, terminalEvent } from './catalog.ts';
import { openHarness, type Harness } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

describe('captions on SIGTERM', function () {
  this.timeout(60_000);
  let engines: Engines;
  let harness: Harness;
  before(async () => {
    engines = await startEngines({ words: [{ text: 'Goal.', start: 0.2, end: 0.6 }], languages: ['en', 'es'] });
    const languages = { SPEECH_LANGUAGES: 'en', CAPTION_LANGUAGES: 'en,es' };
    harness = await openHarness({ ...engines.environment, ...languages, WORK_LEASE: '10m', WORK_RENEW: '2m' });
  });
  after(async () => {
    await harness?.close();
    await engines?.close();
  });

  it('a transcription interrupted by SIGTERM is released without costing a try, and another process completes it', async () => {
    const first = await harness.startWorker();
    const videoId = newVideoId();
    const request = requestFor(videoId, await putRendition(harness, newVideoId(), [silence(12)]));
    const release = engines.hold('speech');
    await publishRequest(harness, request);
    await until(() => engines.count('speech') > 0, { what: 'the engine is called' });
    const { code, ms, jobs } = await terminateDuringWork(harness.pool, videoId, first.process);
    release();
    expect(code).to.equal(0);
    expect(ms).to.be.below(10_000);
    expect(jobs).to.deep.equal([released]);
    await harness.startWorker();
    const { subject } = await terminalEvent(harness, videoId);
    expect(subject).to.equal('captions.captions.completed.v1');
  });
});
