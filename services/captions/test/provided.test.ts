/** Captions that came inside the partner's file, against engines that count what they are asked. */
import { expect } from 'chai';
import { textsDocument, type TextTrack } from '@vds/proto/documents/texts';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, stateOf, terminalEvent } from './catalog.ts';
import { openHarness, type Harness } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

const english: TextTrack = {
  language: 'eng',
  cues: [
    { startMs: 1_000, endMs: 2_500, lines: ['Megan Rapinoe takes', 'the corner.'] },
    { startMs: 3_000, endMs: 4_000, lines: ['It is in!'] },
  ],
};
const spanish: TextTrack = {
  language: 'spa',
  cues: [{ startMs: 1_000, endMs: 2_500, lines: ['Rapinoe, al córner.'] }],
};
const korean: TextTrack = { language: 'kor', cues: [{ startMs: 1_000, endMs: 2_500, lines: ['코너킥입니다.'] }] };

describe('captions that the partner has sent', function () {
  this.timeout(60_000);
  let engines: Engines;
  let harness: Harness;
  let rendition: string;
  before(async () => {
    engines = await startEngines({ words: [{ text: 'Heard.', start: 0.2, end: 0.6 }], languages: ['en', 'es', 'fr'] });
    const languages = { SPEECH_LANGUAGES: 'en', CAPTION_LANGUAGES: 'en,es,fr,de' };
    harness = await openHarness({ ...engines.environment, ...languages, TIME_SCALE: '0.03' });
    await harness.startWorker();
    rendition = await putRendition(harness, newVideoId(), [silence(6)]);
  });
  after(async () => {
    await harness?.close();
    await engines?.close();
  });

  const caption = async (tracks: readonly TextTrack[], sound = rendition, languageCode = 'en') => {
    const videoId = newVideoId();
    const textsKey = `videos/${videoId}/1/texts.1/texts.json`;
    const text = textsDocument.write({ version: 1, videoId, tracks: [...tracks] });
    await harness.media.client.putObject(harness.media.bucket, textsKey, text);
    const textLanguages = tracks.map(({ language }) => language ?? '');
    await publishRequest(
      harness,
      requestFor(videoId, sound, { durationMs: 6_000, languageCode, textsKey, textLanguages }),
    );
    const state = stateOf(await terminalEvent(harness, videoId));
    const track = (language: string) => state.tracks.find((one) => one.language === language) ?? expect.fail(language);
    const vtt = (language: string) =>
      harness.read((track(language).playlistKey ?? '').replace('index.m3u8', 'captions.vtt'));
    return { state, track, vtt };
  };
  const heard = (): number => engines.count('speech');

  it('captions in the spoken language are the source of all translations, and nothing is recognised', async () => {
    const before = heard();
    const { state, track, vtt } = await caption([english]);
    expect(heard()).to.equal(before);
    expect(track('en')).to.include({ kind: 'captions', provided: true, status: 'ready' });
    expect(await vtt('en')).to.include('00:00:01.000 --> 00:00:02.500\nMegan Rapinoe takes\nthe corner.');
    expect(track('fr')).to.include({ kind: 'subtitles', provided: false, status: 'ready' });
    expect(await vtt('fr')).to.include('00:00:01.000 --> 00:00:02.500');
    expect(state.transcriptRevision).to.equal(1);
    expect(await harness.read(state.transcriptKey ?? '')).to.include('Megan Rapinoe takes the corner.');
  });

  it('captions in another language replace its translation, and those of no target are a track too', async () => {
    const { state, track, vtt } = await caption([spanish, korean]);
    expect(track('en')).to.include({ provided: false, status: 'ready' });
    expect(await vtt('en')).to.include('Heard.');
    for (const [language, text] of [
      ['es', 'Rapinoe, al córner.'],
      ['ko', '코너킥입니다.'],
    ] as const) {
      expect(track(language)).to.include({ kind: 'subtitles', provided: true, status: 'ready' });
      expect(await vtt(language)).to.include(text);
      expect(track(language).name).not.to.include('(');
    }
    expect(state.tracks.map(({ language }) => language)).to.deep.equal(['en', 'es', 'fr', 'de', 'ko']);
  });

  it('a silent video, and one in a language that nobody recognises, have the captions that were sent', async () => {
    const mute = await caption([spanish], '');
    expect(mute.track('es')).to.include({ provided: true, status: 'ready' });
    expect(mute.track('en')).to.include({ status: 'skipped', reason: 'no_audio' });
    const unknown = await caption([korean], rendition, 'ko');
    expect(unknown.track('ko')).to.include({ kind: 'captions', provided: true, status: 'ready' });
    expect(unknown.track('es')).to.include({ status: 'skipped', reason: 'no_path' });
  });
});
