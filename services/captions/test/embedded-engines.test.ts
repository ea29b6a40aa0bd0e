/** The embedded engines: speech becomes a source track, and the source track becomes translations. */
import { expect } from 'chai';
import { speak, voiceOf } from '@vds/testkit/media/speak';
import { readServers } from '@vds/testkit/servers/servers-file';
import { skipBecause } from '@vds/testkit/skip';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, describeTrack, terminalEvent, stateOf, statusCounts } from './catalog.ts';
import { openHarness, type Harness } from './harness.ts';
import { putRendition, sentences, silence, spoken, tone } from './sounds.ts';

const { speechPython, speechModel, apertium } = readServers();
/** Chords that change every second. */
const music = `aevalsrc=0.2*(sin(2*PI*(261.6+65*floor(mod(t\\,4)))*t)+sin(2*PI*(392+98*floor(mod(t\\,4)))*t))`;

describe('captions with the embedded engines', function () {
  this.timeout(180_000);
  let harness: Harness;
  before(async function () {
    if (!speechPython || !speechModel) skipBecause(this, 'faster-whisper or its model is not installed');
    if (apertium === null) skipBecause(this, 'apertium is not here');
    harness = await openHarness({ TIME_SCALE: 'chunk=8s', TRANSLATE_SLOTS: '4' });
    await harness.startWorker();
  });
  after(() => harness?.close());

  const caption = async (sources: readonly string[], durationMs = 20_000, languageCode = 'en') => {
    const videoId = newVideoId();
    await publishRequest(
      harness,
      requestFor(videoId, await putRendition(harness, videoId, sources), { durationMs, languageCode }),
    );
    return { videoId, state: stateOf(await terminalEvent(harness, videoId, 150_000)) };
  };

  it('the embedded engines make 17 tracks of an English video and report why there are no more', async () => {
    const { state } = await caption([silence(1), spoken(sentences.save), silence(3), spoken(sentences.goal)]);
    expect(statusCounts(state)).to.deep.equal({ ready: 17, 'skipped no_path': 2 });
    const missing = state.tracks.filter(({ status }) => status !== 'ready').map(({ language }) => language);
    expect(missing).to.deep.equal(['de', 'ja']);
    const spanish = state.tracks.find(({ language }) => language === 'es');
    expect(spanish).to.include({ kind: 'subtitles', name: 'español (traducción automática)' });
    expect(await harness.read(spanish?.textKey ?? '')).to.match(/portero|guardameta/i);
    expect(state.tracks.find(({ language }) => language === 'it')?.path).to.have.length.within(3, 4);
    // Transcribed in two chunks, of which the second begins in the middle of the first sentence.
    const transcript = await harness.read(state.transcriptKey ?? '');
    expect(transcript.match(/brilliant save/g)).to.have.length(1);
    const { sentences: transcribed } = JSON.parse(transcript) as { sentences: { startMs: number }[] };
    expect(transcribed).to.have.length(2);
    expect(transcribed[0]?.startMs).to.be.within(900, 1_600);
  });

  it('the embedded engines find no speech in silence or in a tone', async () => {
    const made = await Promise.all([caption([silence(3)], 3_000), caption([tone(3)], 3_000)]);
    for (const { state } of made) {
      expect(describeTrack(state.tracks[0] ?? expect.fail('no track'))).to.equal('skipped no_speech');
      expect(await harness.read(state.transcriptKey ?? '')).to.include('"sentences":[]');
    }
  });

  it('speech in one channel beside music, or with one channel inverted, is heard', async () => {
    const own = `${spoken(sentences.goal)},aresample=48000,apad=whole_dur=5,atrim=0:5`;
    const beside = `${own}[speech];${music}:s=48000:d=5[music];[music][speech]join=inputs=2:channel_layout=stereo`;
    const made = await Promise.all(
      [beside, `${own},pan=stereo|c0=c0|c1=-1*c0`].map((source) => caption([source], 5_000)),
    );
    for (const { state } of made)
      expect(await harness.read(state.transcriptKey ?? '')).to.match(/striker.*winning goal.*the crowd goes/);
  });

  it('a French video is transcribed, and its captions are translated', async function () {
    if (voiceOf('fr') !== 'pico') return skipBecause(this, 'no French voice is installed');
    const text = 'Le gardien arrête le ballon, et les spectateurs applaudissent la victoire.';
    const path = await speak('fr', text);
    const { state } = await caption([silence(1), `amovie=${path}`], 8_000, 'fr');
    expect(describeTrack(state.tracks[0] ?? expect.fail('no track'))).to.equal('ready');
    expect(await harness.read(state.transcriptKey ?? '')).to.match(/ball?on.*spectateur.*la victoire/);
    const ready = state.tracks.filter(({ status }) => status === 'ready').map(({ language }) => language);
    expect(ready).to.include.members(['fr', 'es', 'ca']);
  });

  it('a video in a language that the embedded engine lacks is skipped as unsupported', async () => {
    const { state } = await caption([silence(3)], 3_000, 'ga');
    expect(statusCounts(state)).to.deep.equal({ 'skipped language_unsupported': 19 });
    expect(state.transcriptKey).to.equal(undefined);
  });
});
