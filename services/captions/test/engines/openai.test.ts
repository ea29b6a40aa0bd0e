import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { openOpenai, type OpenaiOptions } from '../../src/outbound/engines/openai.ts';
import { failureOf, ignore, never, quick } from './troubled.ts';

const SECONDS = 10;

/** A WAV file of silence; the tests' server reads only its length. */
function silentWav(seconds: number): Buffer {
  const bytes = seconds * 32_000;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, Buffer.alloc(bytes)]);
}

describe('captions: a speech server', () => {
  let engines: Engines;
  let scratch: string;
  let wavPath: string;
  beforeEach(async () => {
    engines = await startEngines();
    scratch = await mkdtemp(join(tmpdir(), 'vds-openai-'));
    wavPath = join(scratch, 'speech.wav');
    await writeFile(wavPath, silentWav(SECONDS));
  });
  afterEach(async () => {
    await engines.close();
    await rm(scratch, { recursive: true });
  });

  const options = (more: Partial<OpenaiOptions> = {}): OpenaiOptions => ({
    url: `${engines.url}/v1`,
    model: 'whisper-1',
    languages: [],
    concurrency: 2,
    timeoutMs: 5_000,
    pace: quick,
    ...more,
  });
  const hear = (more: Partial<OpenaiOptions> = {}, language = 'en', signal = never()) =>
    openOpenai(options(more)).transcribe(
      { wavPath, language, durationMs: SECONDS * 1_000, offsetMs: 60_000 },
      signal,
      ignore,
    );

  it('asks for words with times in the language that is spoken, and for nothing else', async () => {
    await hear({ key: 'k-1', model: 'large-v3' });
    const [call] = engines.calls();
    expect(call).to.include({ language: 'en', authorization: 'Bearer k-1' });
    expect(call?.fields).to.deep.equal({
      model: ['large-v3'],
      language: ['en'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['word', 'segment'],
    });
  });

  it('sends no authorization where there is no key', async () => {
    await hear();
    expect(engines.calls()[0]?.authorization).to.equal(undefined);
  });

  it('takes a base address with and without its version', async () => {
    expect(await hear({ url: engines.url })).to.deep.equal(await hear({ url: `${engines.url}/v1/` }));
  });

  it('gives words their punctuation back and moves their times by the offset', async () => {
    const words = await hear();
    expect(words.slice(8, 12).map(({ text }) => text)).to.deep.equal(['final', 'minute.', 'The', 'striker']);
    expect(words[0]).to.deep.equal({ text: 'The', startMs: 60_500, endMs: 60_850, confidence: Math.exp(-0.2) });
  });

  for (const shape of ['nested', 'segments'] as const)
    it(`reads an answer whose words are ${shape === 'nested' ? 'within its segments' : 'missing: spread over each segment'}`, async () => {
      await engines.close();
      engines = await startEngines({ shape });
      const words = await hear({ url: engines.url });
      const texts = words.map(({ text }) => text);
      expect(texts.slice(0, 3)).to.deep.equal(['The', 'goalkeeper', 'makes']);
      expect(texts).to.include('minute.').and.include('striker');
      const second = words[texts.indexOf('striker') - 1];
      expect(second?.startMs).to.be.closeTo(60_000 + 500 + 10 * 350 + 800, 1);
      for (const [index, word] of words.entries()) {
        expect(word.endMs).to.be.at.least(word.startMs);
        expect(word.startMs).to.be.at.least(words[index - 1]?.endMs ?? 0);
      }
    });

  it('hears nothing where the server hears nothing', async () => {
    engines.trouble({ endpoint: 'speech', fault: { kind: 'empty' } });
    expect(await hear()).to.deep.equal([]);
  });

  for (const where of ['beside', 'within', 'nowhere'] as const)
    it(`leaves out segments that the server itself holds for silence, their words ${where}`, async () => {
      const words = [
        { word: 'Thank', start: 0.1, end: 0.5 },
        { word: 'you', start: 0.5, end: 0.9 },
      ];
      const silence = { id: 0, start: 0, end: 2, text: ' Thank you.', avg_logprob: -1.4, no_speech_prob: 0.9 };
      const segments = [where === 'within' ? { ...silence, words } : silence];
      const answer = { text: 'Thank you.', language: 'english', segments, ...(where === 'beside' ? { words } : {}) };
      engines.trouble({ endpoint: 'speech', fault: { kind: 'instead', answer } });
      expect(await hear()).to.deep.equal([]);
    });

  it('knows the language that the server names in words', async () => {
    const words = [{ word: 'Hallo', start: 0.1, end: 0.5 }];
    engines.trouble({
      endpoint: 'speech',
      fault: { kind: 'instead', answer: { text: 'Hallo', language: 'German', words } },
    });
    expect(await hear({}, 'de')).to.have.length(1);
    expect(await failureOf(hear({}, 'en')))
      .to.have.property('message')
      .that.contains("words in 'de'");
  });

  const nonsense: Readonly<Record<string, unknown>> = {
    'a list': [],
    'no text': { words: [] },
    'words that are no list': { text: 'x', words: 'many' },
    'a word without a time': { text: 'x', words: [{ word: 'x' }] },
    'a time that is a text': { text: 'x', words: [{ word: 'x', start: '0', end: '1' }] },
    'a negative time': { text: 'x', words: [{ word: 'x', start: -3, end: 1 }] },
    'an end before its start': { text: 'x', words: [{ word: 'x', start: 3, end: 1 }] },
    'a time beyond the file': { text: 'x', words: [{ word: 'x', start: 100, end: 101 }] },
    'time that goes back': {
      text: 'x y',
      words: [
        { word: 'x', start: 3, end: 4 },
        { word: 'y', start: 1, end: 2 },
      ],
    },
    'a word of 300 letters': { text: 'x', words: [{ word: 'x'.repeat(300), start: 0, end: 1 }] },
    'a segment of 100,000 letters without a space': {
      text: 'x',
      segments: [{ text: 'x'.repeat(100_000), start: 0, end: 1 }],
    },
    'a thousand words in ten seconds': {
      text: 'x',
      words: Array.from({ length: 1_000 }, () => ({ word: 'x', start: 0, end: 1 })),
    },
    'a text without any time': { text: 'Hello there.' },
  };
  for (const [what, answer] of Object.entries(nonsense))
    it(`refuses ${what}, after one more try`, async () => {
      engines.trouble({ endpoint: 'speech', fault: { kind: 'instead', answer } });
      const error = await failureOf(hear());
      expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
      expect(error.message).to.contain('answered nonsense');
      expect(engines.calls()).to.have.length(2);
    });

  it('takes no control characters and no lone surrogates from a word', async () => {
    const words = [{ word: ' a\u0000b\n\ud800 ', start: 0, end: 1 }];
    engines.trouble({ endpoint: 'speech', fault: { kind: 'instead', answer: { text: 'x', words } } });
    expect((await hear())[0]?.text).to.equal('a b \ufffd');
  });

  it('cuts the end of a word at the end of the file, and at the next word', async () => {
    const words = [
      { word: 'one', start: 8, end: 9.5 },
      { word: 'two', start: 9, end: 10.4 },
    ];
    engines.trouble({ endpoint: 'speech', fault: { kind: 'instead', answer: { text: 'one two', words } } });
    expect((await hear()).map(({ startMs, endMs }) => [startMs, endMs])).to.deep.equal([
      [68_000, 69_000],
      [69_000, 70_000],
    ]);
  });

  it('understands Whisper’s languages unless the operator names others', async () => {
    const usual = await openOpenai(options()).languages();
    expect(usual)
      .to.include.members(['en', 'es', 'ar', 'ja', 'jv'])
      .and.to.satisfy((all: string[]) => all.every((code) => /^[a-z]{2}$/.test(code)));
    expect(await openOpenai(options({ languages: ['en', 'de'] })).languages()).to.deep.equal(['en', 'de']);
  });
});
