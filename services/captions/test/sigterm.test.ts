import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { endAtWork, released } from '@vds/testkit/harness/end-at-work';
import { until } from '@vds/testkit/until';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { ask, asking, lastWord } from './catalog.ts';
import { openHouse, type House } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

describe('captions, told to stop', function () {
  this.timeout(60_000);
  let engines: Engines;
  let house: House;
  before(async () => {
    engines = await startEngines({ words: [{ text: 'Goal.', start: 0.2, end: 0.6 }], languages: ['en', 'es'] });
    const wanted = { SPEECH_LANGUAGES: 'en', CAPTION_LANGUAGES: 'en,es' };
    house = await openHouse({ ...engines.environment, ...wanted, WORK_LEASE: '10m', WORK_RENEW: '2m' });
  });
  after(async () => {
    await house?.close();
    await engines?.close();
  });

  it('gives what it hears back at once, at no cost of a try, and another process makes it', async () => {
    const first = await house.startWorker();
    const videoId = newVideoId();
    const asked = asking(videoId, await putRendition(house, newVideoId(), [silence(12)]));
    const go = engines.hold('speech');
    await ask(house, asked);
    await until(() => engines.count('speech') > 0, { what: 'the engine is asked' });
    const { code, ms, jobs } = await endAtWork(house.pool, videoId, first.process);
    go();
    expect(code).to.equal(0);
    expect(ms).to.be.below(10_000);
    expect(jobs).to.deep.equal([released]);
    await house.startWorker();
    const { subject } = await lastWord(house, videoId);
    expect(subject).to.equal('captions.captions.completed.v1');
  });
});
