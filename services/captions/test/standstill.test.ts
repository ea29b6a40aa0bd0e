import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, stateOf, statusCounts, terminalEvent } from './catalog.ts';
import { openHarness, type Harness } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

describe('captions that stand still', function () {
  this.timeout(60_000);
  let engines: Engines;
  let harness: Harness;
  before(async () => {
    engines = await startEngines({ words: [{ text: 'Goal.', start: 0.2, end: 0.6 }], languages: ['en', 'es'] });
    const languages = { SPEECH_LANGUAGES: 'en', CAPTION_LANGUAGES: 'en,es' };
    const limits = { STAGE_STALL: '4s', WORK_LEASE: '3s', WORK_RENEW: '500ms' };
    harness = await openHarness({ ...engines.environment, ...languages, ...limits });
  });
  after(async () => {
    await harness?.close();
    await engines?.close();
  });

  it('a translation that hangs ends as failed, and the stage completes with the tracks that are ready', async () => {
    await harness.startWorker();
    const videoId = newVideoId();
    const request = requestFor(videoId, await putRendition(harness, newVideoId(), [silence(12)]));
    const release = engines.hold('translation');
    await publishRequest(harness, request);
    const { subject, payload } = await terminalEvent(harness, videoId);
    release();
    expect(subject).to.equal('captions.captions.completed.v1');
    const counts = statusCounts(stateOf({ subject, id: '', payload }));
    expect(counts).to.deep.equal({ ready: 1, 'failed engine_error': 1 });
  });
});
