/** Changes of speaker, by synthesised voices at known times; and the dashes that tell of them. */
import { readFile } from 'node:fs/promises';
import { assert } from 'chai';
import { commentary } from '@vds/testkit/media/commentary';
import { speak } from '@vds/testkit/media/speak';
import { buildSpokenCues, buildTranslatedCues } from '../../src/domain/layout/build-cues.ts';
import { layOut } from '../../src/domain/provided.ts';
import { createEnvelope } from '../../src/domain/speech/envelope.ts';
import { createPitchMeter } from '../../src/domain/speech/pitch.ts';
import { sentencesOf } from '../../src/domain/speech/sentences.ts';
import { markSpeakers } from '../../src/domain/speech/speakers.ts';
import { divideSpan, type Word } from '../../src/domain/words.ts';

const RATE = 16_000;
const HEADER_BYTES = 44;
const PAUSES_MS = [400, 1_200, 700] as const;

/** Sentences of the commentary, each in the voice that `voiceOf` names; `noise` is its loudest value of 16 bits. */
async function talk(count: number, voiceOf: (index: number) => string, noise = 0) {
  const [pitch, envelope] = [createPitchMeter(RATE), createEnvelope(RATE)];
  const words: Word[] = [];
  let samples = 0;
  let seed = 1;
  const add = (sample: number): void => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const value = Math.round(sample + ((2 * seed) / 2 ** 31 - 1) * noise);
    pitch.add(value);
    envelope.add(value);
    samples += 1;
  };
  const begins: number[] = [];
  for (let index = 0; index < count; index++) {
    for (let quiet = 0; quiet < ((PAUSES_MS[index % 3] ?? 0) * RATE) / 1_000; quiet++) add(0);
    const text = commentary[index % commentary.length] ?? '';
    const bytes = await readFile((await speak('en', text, voiceOf(index))) ?? assert.fail('flite is missing'));
    const startMs = Math.round((samples * 1_000) / RATE);
    begins.push(startMs);
    for (let at = HEADER_BYTES; at + 1 < bytes.length; at += 2) add(bytes.readInt16LE(at));
    const own = text.split(' ').map((word) => ({ text: word, confidence: 1 }));
    words.push(
      ...divideSpan(own, (word) => word.text.length, { startMs, endMs: Math.round((samples * 1_000) / RATE) }),
    );
  }
  const marked = markSpeakers(words, { levels: envelope.levels, offsetMs: 0 }, pitch.pitches);
  return { begins, marked, turns: marked.filter(({ turn }) => turn).map(({ startMs }) => startMs) };
}

describe('changes of speaker', function () {
  this.timeout(60_000);

  it('changes of speaker are marked where a man and a woman alternate', async () => {
    const { begins, turns } = await talk(12, (index) => (index % 2 === 0 ? 'slt' : 'rms'));
    assert.isTrue(
      turns.every((turn) => begins.slice(1).includes(turn)),
      String(turns),
    );
    assert.isAtLeast(turns.length, 9);
  });

  it('no change of speaker is marked where one speaks, nor where the next has nearly the same pitch', async () => {
    for (const voice of ['slt', 'rms']) assert.deepEqual((await talk(10, () => voice)).turns, [], voice);
    assert.deepEqual((await talk(6, (index) => (index % 2 === 0 ? 'rms' : 'kal'))).turns, []);
  });

  it('no change of speaker is marked where a crowd is loud', async () => {
    assert.deepEqual((await talk(8, (index) => (index % 2 === 0 ? 'slt' : 'rms'), 9_000)).turns, []);
  });
});

describe('dashes of speakers', () => {
  const words = (texts: readonly string[], turns: readonly number[], paceMs = 400): Word[] =>
    texts.map((text, index) => ({
      ...{ text, startMs: index * paceMs, endMs: index * paceMs + paceMs - 50, confidence: 1 },
      ...(turns.includes(index) && { turn: true }),
    }));
  const spoken = (text: string, turns: readonly number[], paceMs?: number) =>
    buildSpokenCues(sentencesOf(words(text.split(' '), turns, paceMs), 'en'), 'en', 60_000);

  it('begin the cue with which another speaker begins, and its translation, and are no part of the transcript', () => {
    const { cues, sentences } = spoken('Where is the ball now my friend It lies behind the goal over there', [7]);
    const lines = cues.map((cue) => cue.lines.join(' '));
    assert.lengthOf(
      lines.filter((line) => line.startsWith('- ')),
      1,
      lines.join(' | '),
    );
    assert.match(lines.find((line) => line.startsWith('- ')) ?? '', /^- It lies/);
    assert.notInclude(sentences.map(({ text }) => text).join(' '), '- ');
    assert.deepEqual(
      sentences.map(({ turn = false }) => turn),
      [false, true],
    );
    const german = buildTranslatedCues(['Wo ist der Ball?', 'Er liegt hinter dem Tor.'], sentences, 'de', 60_000);
    assert.deepEqual(
      german.cues.map((cue) => cue.lines.join(' ')),
      ['Wo ist der Ball?', '- Er liegt hinter dem Tor.'],
    );
  });

  it('begin both lines of a cue that two speakers share', () => {
    const { cues } = spoken('Really? Yes, I saw it.', [1], 300);
    assert.deepEqual(
      cues.map(({ lines }) => lines),
      [['- Really?', '- Yes, I saw it.']],
    );
  });

  it('of a corrected or provided track stay in its cues, and are no part of its text', () => {
    const track = [
      { startMs: 0, endMs: 1_000, lines: ['Really?'] },
      { startMs: 1_000, endMs: 3_000, lines: ['- Yes.', '–No!'] },
      { startMs: 3_000, endMs: 5_000, lines: ['-5 degrees.'] },
    ];
    const { cues, sentences } = layOut(track);
    assert.deepEqual(cues, track);
    assert.deepEqual(
      sentences.map(({ text, turn = false }) => [text, turn]),
      [
        ['Really?', false],
        ['Yes. No!', true],
        ['-5 degrees.', false],
      ],
    );
  });
});
