/** Outcomes of tracks that no engine can transcribe. */
import { expect } from 'chai';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { ask, asking, lastWord, stateIn, states, tally } from './catalog.ts';
import { openHouse, type House } from './harness.ts';

describe('captions without engines', function () {
  this.timeout(60_000);
  let house: House;
  before(async () => {
    house = await openHouse({ SPEECH_ENGINE: 'none', TRANSLATION_ENGINE: 'none' });
    await house.startWorker();
  });
  after(() => house?.close());

  it('lists every track of a title without sound, and says why there is none', async () => {
    const videoId = newVideoId();
    await ask(house, asking(videoId, ''));
    const state = stateIn(await lastWord(house, videoId));
    expect(tally(state)).to.deep.equal({ 'skipped no_audio': 19 });
    expect(state.tracks[0]).to.include({ language: 'en', kind: 'captions' });
    expect(states(house, videoId)).to.deep.equal([state]);
  });

  it('says that the spoken language is none of the engine’s', async () => {
    const videoId = newVideoId();
    await ask(house, asking(videoId, 'videos/x/1/audio.1/a/index.m3u8', { languageCode: 'fr' }));
    const state = stateIn(await lastWord(house, videoId));
    expect(tally(state)).to.deep.equal({ 'skipped language_unsupported': 19 });
    expect(state.tracks.map(({ language }) => language))
      .to.include('en')
      .and.not.include('fr-CA');
    expect(states(house, videoId).map(tally)).to.deep.equal([{ processing: 19 }, tally(state)]);
  });
});
