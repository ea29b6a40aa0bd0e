import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { chooseSandbox } from '@vds/chassis/sandbox/sandbox';
import { readServers } from '@vds/testkit/servers/servers-file';
import { skipBecause } from '@vds/testkit/skip';
import { commentary, speakTrack } from '@vds/testkit/media/commentary';
import { openPocketsphinx, type PocketsphinxOptions } from '../../src/outbound/engines/pocketsphinx.ts';
import type { SpeechEngine } from '../../src/outbound/engines/speech-engine.ts';
import { failureOf, ignore, never, silent } from './support.ts';

const execute = promisify(execFile);

/** Sound without speech, as ffmpeg sources. */
const speechless: Readonly<Record<string, string>> = {
  silence: 'anullsrc=r=16000:cl=mono',
  'a tone': 'sine=frequency=440',
  'pink noise': 'anoisesrc=color=pink:amplitude=0.4:seed=1',
  'a crowd that rises and falls': 'anoisesrc=color=pink:amplitude=0.5:seed=3,tremolo=f=3:d=0.8',
  chords:
    'aevalsrc=0.15*(sin(2*PI*(261.6+65*floor(mod(t\\,4)))*t)+sin(2*PI*(329.6+82*floor(mod(t\\,4)))*t)+sin(2*PI*(392+98*floor(mod(t\\,4)))*t))*(0.4+0.6*abs(sin(PI*2*t))):s=16000',
  'a melody':
    'aevalsrc=0.3*sin(2*PI*220*pow(2\\,floor(mod(t*3\\,8))/12)*t)*exp(-3*mod(t\\,0.333))+0.2*sin(2*PI*110*pow(2\\,floor(mod(t*1.5\\,5))/12)*t):s=16000',
};

describe('pocketsphinx engine', () => {
  let scratch: string;
  let options: PocketsphinxOptions;
  let engine: SpeechEngine;
  before(async function () {
    const { speechPython } = readServers();
    if (!speechPython) return skipBecause(this, 'pocketsphinx is not installed');
    scratch = await mkdtemp(join(tmpdir(), 'vds-pocketsphinx-'));
    const limits = { memoryBytes: 2 ** 32, niceness: 0, timeoutMs: 120_000 };
    options = { python: speechPython, sandbox: await chooseSandbox(), ...limits, log: silent };
    engine = await openPocketsphinx(options);
  });
  after(() => rm(scratch, { recursive: true, force: true }));

  const transcribe = (wavPath: string, durationMs: number, from = engine, signal = never()) =>
    from.transcribe({ wavPath, language: 'en', durationMs, offsetMs: 0 }, signal, ignore);
  const openWith = (more: Partial<PocketsphinxOptions>) => openPocketsphinx({ ...options, ...more });

  const render = async (source: string, seconds: number): Promise<string> => {
    const path = join(scratch, 'sound.wav');
    const args = [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      source,
      '-t',
      String(seconds),
      '-ac',
      '1',
      '-ar',
      '16000',
      path,
    ];
    await execute('ffmpeg', args);
    return path;
  };

  it('pocketsphinx transcribes two sentences, nearly word for word, each within 300 ms of its start', async () => {
    const { path, durationMs, sentences } = await speakTrack(commentary.slice(0, 2), join(scratch, 'speech.wav'));
    const parts: number[] = [];
    const input = { wavPath: path, language: 'en', durationMs, offsetMs: 60_000 };
    const words = await engine.transcribe(input, never(), (part) => void parts.push(part));
    const texts = words.map(({ text }) => text);
    expect(texts).to.include.members(['goalkeeper', 'brilliant', 'championship', 'match', 'winning', 'crowd', 'wild']);
    for (const { startMs } of sentences)
      expect(words.some((word) => Math.abs(word.startMs - 60_000 - startMs) <= 300)).to.equal(true);
    for (const { confidence } of words) expect(confidence).to.be.within(0, 1);
    expect(parts.length).to.be.at.least(2);
    expect(parts).to.deep.equal(parts.toSorted((a, b) => a - b));
  });

  for (const [what, source] of Object.entries(speechless))
    it(`pocketsphinx finds no word in ${what}`, async () => {
      expect(await transcribe(await render(source, 4), 4_000)).to.deep.equal([]);
    });

  it('pocketsphinx returns the same words where the sandbox is limits alone', async () => {
    const { path, durationMs } = await speakTrack(commentary.slice(1, 2), join(scratch, 'speech.wav'));
    const [inside, outside] = [
      await transcribe(path, durationMs),
      await transcribe(path, durationMs, await openWith({ sandbox: 'limits' })),
    ];
    expect(inside).to.deep.equal(outside).and.have.length.above(5);
  });

  it('pocketsphinx cuts half a minute without a pause where it is quietest, and loses no time', async () => {
    const text = 'the striker scores the winning goal and the crowd goes wild and '.repeat(9);
    const path = await render(`flite=text='${text}':voice=slt`, 29);
    const starts = (await transcribe(path, 29_000))
      .filter(({ text: word }) => word === 'crowd')
      .map(({ startMs }) => startMs);
    // The voice repeats the same every 3.06 s; one or two repetitions may be missing.
    expect(starts).to.have.length.above(5);
    expect(starts.at(-1)).to.be.above(25_000);
    for (const start of starts) expect(((start - (starts[0] ?? 0)) / 3_060 + 0.5) % 1).to.be.closeTo(0.5, 0.05);
  });

  it('pocketsphinx ends when the signal aborts, and when it takes too long', async () => {
    const path = await render('anoisesrc=color=pink:amplitude=0.4', 60);
    const abort = new AbortController();
    const outcome = transcribe(path, 60_000, engine, abort.signal).catch((error: unknown) => String(error));
    setTimeout(() => abort.abort(new Error('no longer wanted')), 700);
    const begun = performance.now();
    expect(await outcome).to.equal('Error: no longer wanted');
    expect(performance.now() - begun).to.be.below(5_000);
    expect(await failureOf(transcribe(path, 60_000, await openWith({ timeoutMs: 300 })))).to.have.property(
      'code',
      'DEADLINE_EXCEEDED',
    );
  });

  it('pocketsphinx fails on a file that is no WAV of its kind', async () => {
    const path = join(scratch, 'no.wav');
    await writeFile(path, 'RIFF nonsense');
    expect(await failureOf(transcribe(path, 1_000))).to.include({ code: 'INTERNAL' });
  });

  it('a Python without pocketsphinx is reported at startup with the variable to set', async () => {
    for (const python of [join(scratch, 'nothing'), '/usr/bin/false']) {
      const error = await failureOf(openWith({ python }));
      expect(error.code).to.equal('FAILED_PRECONDITION');
      expect(error.message).to.match(/SPEECH_PYTHON.*cannot load pocketsphinx/s);
    }
  });
});
