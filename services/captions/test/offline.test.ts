/** The embedded engines at work: what is spoken becomes a source track, and that becomes translations. */
import { expect } from 'chai';
import { ask, asking, lastWord, newId, stateIn, states, tally } from './catalog.ts';
import { openHouse, type House } from './house.ts';
import { putRendition, sentences, silence, spoken } from './sounds.ts';

describe('captions with the embedded engines', function () {
  this.timeout(120_000);
  let house: House;
  before(async () => {
    house = await openHouse({ TIDY_AFTER: '1h' });
    await house.startWorker();
  });
  after(() => house?.close());

  it('hears a title', async () => {
    const videoId = newId();
    const key = await putRendition(house, videoId, [spoken(sentences.save), silence(2), spoken(sentences.goal)]);
    await ask(house, asking(videoId, key));
    const state = stateIn(await lastWord(house, videoId));
    console.log(tally(state), states(house, videoId).length, await house.keys(videoId));
    console.log(await house.read(state.transcriptKey ?? ''));
    expect(state.tracks[0]).to.include({ language: 'en', kind: 'captions' });
  });
});
