/** Outcomes of tracks that no engine can transcribe. */
import { expect } from 'chai';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, terminalEvent, stateOf, publishedStates, statusCounts } from './catalog.ts';
import { openHarness, type Harness } from './harness.ts';

describe('captions without engines', function () {
  this.timeout(60_000);
  let harness: Harness;
  before(async () => {
    harness = await openHarness({ SPEECH_ENGINE: 'none', TRANSLATION_ENGINE: 'none' });
    await harness.startWorker();
  });
  after(() => harness?.close());

  it('a video without sound lists every track as skipped for that reason', async () => {
    const videoId = newVideoId();
    await publishRequest(harness, requestFor(videoId, ''));
    const state = stateOf(await terminalEvent(harness, videoId));
    expect(statusCounts(state)).to.deep.equal({ 'skipped no_audio': 19 });
    expect(state.tracks[0]).to.include({ language: 'en', kind: 'captions' });
    expect(publishedStates(harness, videoId)).to.deep.equal([state]);
  });

  it('a video in a language without an engine lists every track as skipped for that reason', async () => {
    const videoId = newVideoId();
    await publishRequest(harness, requestFor(videoId, 'videos/x/1/audio.1/a/index.m3u8', { languageCode: 'fr' }));
    const state = stateOf(await terminalEvent(harness, videoId));
    expect(statusCounts(state)).to.deep.equal({ 'skipped language_unsupported': 19 });
    expect(state.tracks.map(({ language }) => language))
      .to.include('en')
      .and.not.include('fr-CA');
    expect(publishedStates(harness, videoId).map(statusCounts)).to.deep.equal([
      { processing: 19 },
      statusCounts(state),
    ]);
  });
});
