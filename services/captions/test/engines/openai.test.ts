import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { openOpenai, type OpenaiOptions } from '../../src/outbound/engines/openai.ts';
import { failureOf, ignore, never, shortRetry } from './support.ts';

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

describe('OpenAI-compatible speech engine', () => {
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
    retry: shortRetry,
    ...more,
  });
  const transcribe = (more: Partial<OpenaiOptions> = {}, language = 'en', signal = never()) =>
    openOpenai(options(more)).transcribe(
      { wavPath, language, durationMs: SECONDS * 1_000, offsetMs: 60_000 },
      signal,
      ignore,
    );

  it('the server makes English of what is spoken where it is said to, and is not asked to otherwise', async () => {
    expect(openOpenai(options())).to.not.have.property('toEnglish');
    const { toEnglish = expect.fail('no English') } = openOpenai(options({ translates: true }));
    const input = { wavPath, language: 'ko', durationMs: SECONDS * 1_000, offsetMs: 60_000 };
    const words = await toEnglish(input, never(), ignore);
    expect(words[0]).to.include({ text: 'The', startMs: 60_500 });
    expect(engines.calls()).to.have.length(1);
    expect(engines.calls()[0]).to.include({ endpoint: 'english' });
    // `language` and `timestamp_granularities[]` are parameters of transcriptions only.
    expect(engines.calls()[0]?.fields).to.deep.equal({ model: ['whisper-1'], response_format: ['verbose_json'] });
    // Some servers name the spoken language in the response.
    engines.trouble({ endpoint: 'english', fault: { kind: 'wrong-language' } });
    expect(await toEnglish(input, never(), ignore)).to.deep.equal(words);
  });

  it('a transcription request specifies words with times in the spoken language, and nothing else', async () => {
    await transcribe({ key: 'k-1', model: 'large-v3' });
    const [call] = engines.calls();
    expect(call).to.include({ language: 'en', authorization: 'Bearer k-1' });
    expect(call?.fields).to.deep.equal({
      model: ['large-v3'],
      language: ['en'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['word', 'segment'],
    });
  });

  it('names are the prompt of both requests, the most likely ones last', async () => {
    const { transcribe: spoken, toEnglish = expect.fail('no English') } = openOpenai(options({ translates: true }));
    const input = { wavPath, language: 'en', durationMs: SECONDS * 1_000, offsetMs: 0, names: ['Saka', 'Kai Havertz'] };
    await spoken(input, never(), ignore);
    await toEnglish(input, never(), ignore);
    const prompts = engines.calls().map(({ fields }) => fields['prompt']);
    expect(prompts).to.deep.equal([['Kai Havertz, Saka'], ['Kai Havertz, Saka']]);
  });

  it('the speech server gets no authorization header without a key', async () => {
    await transcribe();
    expect(engines.calls()[0]?.authorization).to.equal(undefined);
  });

  it('the speech server’s base address works with and without its version', async () => {
    expect(await transcribe({ url: engines.url })).to.deep.equal(await transcribe({ url: `${engines.url}/v1/` }));
  });

  it('transcribed words get their punctuation back and are shifted by the offset', async () => {
    const words = await transcribe();
    expect(words.slice(8, 12).map(({ text }) => text)).to.deep.equal(['final', 'minute.', 'The', 'striker']);
    expect(words[0]).to.deep.equal({ text: 'The', startMs: 60_500, endMs: 60_850, confidence: Math.exp(-0.2) });
  });

  for (const shape of ['nested', 'segments'] as const)
    it(`a transcription is read where its words are ${shape === 'nested' ? 'within its segments' : 'missing: spread over each segment'}`, async () => {
      await engines.close();
      engines = await startEngines({ shape });
      const words = await transcribe({ url: engines.url });
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

  it('a transcription without words yields none', async () => {
    engines.trouble({ endpoint: 'speech', fault: { kind: 'empty' } });
    expect(await transcribe()).to.deep.equal([]);
  });

  for (const where of ['beside', 'within', 'nowhere'] as const)
    it(`segments that the speech server itself marks as silence are dropped, their words ${where}`, async () => {
      const words = [
        { word: 'Thank', start: 0.1, end: 0.5 },
        { word: 'you', start: 0.5, end: 0.9 },
      ];
      const silence = { id: 0, start: 0, end: 2, text: ' Thank you.', avg_logprob: -1.4, no_speech_prob: 0.9 };
      const segments = [where === 'within' ? { ...silence, words } : silence];
      const answer = { text: 'Thank you.', language: 'english', segments, ...(where === 'beside' ? { words } : {}) };
      engines.trouble({ endpoint: 'speech', fault: { kind: 'instead', answer } });
      expect(await transcribe()).to.deep.equal([]);
    });

  it('a transcription is accepted by the name of its language, and rejected in another one', async () => {
    const words = [{ word: 'Hallo', start: 0.1, end: 0.5 }];
    engines.trouble({
      endpoint: 'speech',
      fault: { kind: 'instead', answer: { text: 'Hallo', language: 'German', words } },
    });
    expect(await transcribe({}, 'de')).to.have.length(1);
    expect(await failureOf(transcribe({}, 'en')))
      .to.have.property('message')
      .that.contains("words in 'de'");
  });

  const invalid: Readonly<Record<string, unknown>> = {
    'a list in place of an object': [],
    'no text': { words: [] },
    'words that are not a list': { text: 'x', words: 'many' },
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
  for (const [what, response] of Object.entries(invalid))
    it(`a transcription with ${what} is rejected after one more try`, async () => {
      engines.trouble({ endpoint: 'speech', fault: { kind: 'instead', answer: response } });
      const error = await failureOf(transcribe());
      expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
      expect(error.message).to.contain('returned an invalid response');
      expect(engines.calls()).to.have.length(2);
    });

  it('control characters and lone surrogates are removed from transcribed words', async () => {
    const words = [{ word: ' a\u0000b\n\ud800 ', start: 0, end: 1 }];
    engines.trouble({ endpoint: 'speech', fault: { kind: 'instead', answer: { text: 'x', words } } });
    expect((await transcribe())[0]?.text).to.equal('a b \ufffd');
  });

  it('a transcribed word ends at the end of the file or at the next word at the latest', async () => {
    const words = [
      { word: 'one', start: 8, end: 9.5 },
      { word: 'two', start: 9, end: 10.4 },
    ];
    engines.trouble({ endpoint: 'speech', fault: { kind: 'instead', answer: { text: 'one two', words } } });
    expect((await transcribe()).map(({ startMs, endMs }) => [startMs, endMs])).to.deep.equal([
      [68_000, 69_000],
      [69_000, 70_000],
    ]);
  });

  it('the speech engine supports Whisper’s languages unless the operator names others', async () => {
    const usual = await openOpenai(options()).languages();
    expect(usual)
      .to.include.members(['en', 'es', 'ar', 'ja', 'jv'])
      .and.to.satisfy((all: string[]) => all.every((code) => /^[a-z]{2}$/.test(code)));
    expect(await openOpenai(options({ languages: ['en', 'de'] })).languages()).to.deep.equal(['en', 'de']);
  });
});
