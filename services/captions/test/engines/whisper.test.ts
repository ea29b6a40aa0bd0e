import { limitsOnly } from '@vds/chassis/sandbox/sandbox';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { commentary, speakTrack } from '@vds/testkit/media/commentary';
import { speak, voiceOf } from '@vds/testkit/media/speak';
import { renderRecording, renderSound, speechless, speechlessRecordings } from '@vds/testkit/media/speechless';
import { skipBecause } from '@vds/testkit/skip';
import type { SpeechEngine } from '../../src/outbound/engines/speech-engine.ts';
import type { PythonModelOptions } from '../../src/outbound/engines/python-model.ts';
import { openWhisper } from '../../src/outbound/engines/whisper.ts';
import { failureOf, ignore, never } from './support.ts';
import { whisperOptions } from './whisper-processes.ts';

const SECONDS = process.env['VDS_LONG'] === '1' ? 600 : 6;
const sentence = 'the striker scores the winning goal and the crowd goes wild';

/** The voice, and a sound 10 dB below it. */
function over(sound: string): string {
  const voice = `flite=text='${sentence}':voice=rms,aresample=16000,apad=pad_dur=2[voice]`;
  return `${voice};${sound},volume=-9dB[sound];[voice][sound]amix=inputs=2:duration=first:normalize=0`;
}

describe('whisper engine', function () {
  this.timeout(120_000);
  let scratch: string;
  let options: PythonModelOptions;
  let engine: SpeechEngine;
  before(async function () {
    scratch = await mkdtemp(join(tmpdir(), 'vds-whisper-'));
    options = (await whisperOptions(scratch)) ?? skipBecause(this, 'faster-whisper or its model is not installed');
    engine = await openWhisper(options);
  });
  after(async () => {
    await engine?.close?.();
    await rm(scratch, { recursive: true, force: true });
  });

  const transcribe = (wavPath: string, durationMs: number, from = engine, language = 'en') =>
    from.transcribe({ wavPath, language, durationMs, offsetMs: 0 }, never(), ignore);
  const textOf = async (wavPath: string, language: string, method = engine.transcribe) =>
    (await method({ wavPath, language, durationMs: 60_000, offsetMs: 0 }, never(), ignore))
      .map(({ text }) => text)
      .join(' ');

  it('whisper transcribes two sentences word for word, with punctuation, each within 300 ms of its start', async () => {
    const { path, durationMs, sentences } = await speakTrack(commentary.slice(0, 2), join(scratch, 'speech.wav'));
    const parts: number[] = [];
    const input = { wavPath: path, language: 'en', durationMs, offsetMs: 60_000 };
    const words = await engine.transcribe(input, never(), (part) => void parts.push(part));
    expect(words.map(({ text }) => text).join(' ')).to.equal(commentary.slice(0, 2).join(' '));
    for (const { startMs } of sentences)
      expect(words.some((word) => Math.abs(word.startMs - 60_000 - startMs) <= 300)).to.equal(true);
    for (const { confidence } of words) expect(confidence).to.be.within(0, 1);
    expect(parts.length).to.be.at.least(2);
    expect(parts).to.deep.equal(parts.toSorted((a, b) => a - b));
  });

  it('whisper spells a spoken name as the list does, and no name that nobody spoke', async () => {
    const path = (await speak('en', 'what a beautiful moment for cooper kupp and the fans')) ?? expect.fail('no voice');
    const input = { wavPath: path, language: 'en', durationMs: 60_000, offsetMs: 0 };
    const heardWith = async (...names: string[]) =>
      (await engine.transcribe({ ...input, names }, never(), ignore)).map(({ text }) => text).join(' ');
    expect(await heardWith('Cooper Kupp', 'Leicester')).to.match(/^What a beautiful moment for Cooper Kupp\b/);
    expect(await heardWith('Dorothea Quillfeather', 'Marek Ostrowidz')).to.equal(await heardWith());
  });

  for (const [what, source] of Object.entries(speechless))
    it(`whisper finds no word in ${what}`, async () => {
      expect(await transcribe(await renderSound(source, SECONDS), SECONDS * 1_000)).to.deep.equal([]);
    });

  for (const file of speechlessRecordings())
    it(`whisper finds no word in the recording ${basename(file)}`, async () => {
      expect(await transcribe(await renderRecording(file, SECONDS), SECONDS * 1_000)).to.deep.equal([]);
    });

  for (const what of ['pink noise', 'a roaring crowd', 'strings and drums'])
    it(`whisper understands a voice over ${what}`, async () => {
      const path = await renderSound(over(speechless[what] ?? ''), 6);
      expect(await textOf(path, 'en')).to.match(/winning goal and the crowd goes wild/i);
    });

  it('whisper returns the same words if the sandbox has limits only', async () => {
    const { path, durationMs } = await speakTrack(commentary.slice(1, 2), join(scratch, 'speech.wav'));
    const bare = await openWhisper({ ...options, sandbox: limitsOnly });
    try {
      const [inside, outside] = [await transcribe(path, durationMs), await transcribe(path, durationMs, bare)];
      expect(inside).to.deep.equal(outside).and.have.length.above(5);
    } finally {
      await bare.close?.();
    }
  });

  it('whisper transcribes the given language, and writes it in English too', async function () {
    if (voiceOf('es') !== 'pico') return skipBecause(this, 'no Spanish voice is installed');
    const path = await speak('es', 'El portero hace una gran parada y el público celebra la victoria.');
    expect(await textOf(path ?? '', 'es')).to.match(/portero.*público.*victoria/i);
    expect(engine.toEnglish).to.be.a('function');
    expect(await textOf(path ?? '', 'es', engine.toEnglish)).to.match(/great.*(public|crowd|audience).*victory/i);
  });

  it('whisper transcribes German', async function () {
    if (voiceOf('de') !== 'pico') return skipBecause(this, 'no German voice is installed');
    const path = await speak('de', 'Der Torwart hält den Ball, und die Zuschauer jubeln.');
    expect(await textOf(path ?? '', 'de')).to.match(/Ball.*Zuschauer/);
  });

  it('whisper reports the languages of its model by their codes of two letters', async () => {
    const languages = await engine.languages();
    expect(languages).to.include.members(['en', 'es', 'de', 'ja', 'ko', 'ar', 'jv']).and.have.length.above(90);
    for (const code of languages) expect(code).to.match(/^[a-z]{2}$/);
    const unknown = await failureOf(transcribe(join(scratch, 'speech.wav'), 1_000, engine, 'xx'));
    expect(unknown).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
  });

  it('whisper fails on a file that is not a WAV of its kind', async () => {
    const path = join(scratch, 'no.wav');
    for (const content of ['RIFF nonsense', '']) {
      await writeFile(path, content);
      expect(await failureOf(transcribe(path, 1_000))).to.include({ code: 'INTERNAL' });
    }
  });

  it('a Python without faster-whisper, and a folder without a model, are reported at startup with the variable to set', async () => {
    const openWith = (more: Partial<PythonModelOptions>) => failureOf(openWhisper({ ...options, ...more }));
    for (const python of [join(scratch, 'nothing'), '/usr/bin/false']) {
      const error = await openWith({ python });
      expect(error.code).to.equal('FAILED_PRECONDITION');
      expect(error.message).to.match(/SPEECH_PYTHON.*faster-whisper/s);
    }
    expect((await openWith({ model: scratch })).message).to.match(/SPEECH_MODEL.*Whisper model/);
    await writeFile(join(scratch, 'model.bin'), 'nonsense');
    const broken = await openWith({ model: scratch });
    expect(broken).to.have.property('code', 'FAILED_PRECONDITION');
    expect(broken.message).to.match(/cannot load SPEECH_MODEL/);
  });
});
