import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { joinWords, type TranscribedChunk } from '../../src/domain/transcription/join-words.ts';
import { cutIntoChunks } from '../../src/domain/transcription/chunks.ts';
import type { Span, Word } from '../../src/domain/words.ts';

function segments(count: number, ms = 6_000) {
  return Array.from({ length: count }, (_none, index) => ({
    key: `s${index}`,
    startMs: index * ms,
    endMs: (index + 1) * ms,
  }));
}

describe('cutIntoChunks', () => {
  it('a short video is one chunk', () => {
    expect(cutIntoChunks(segments(5), 180_000)).to.have.length(1);
    expect(cutIntoChunks([], 180_000)[0]?.segments).to.deep.equal([]);
  });

  it('three hours are cut into many chunks, none much longer than configured', () => {
    const chunks = cutIntoChunks(segments(1_800), 180_000);
    expect(chunks).to.have.length(60);
    for (const { startMs, endMs } of chunks) expect(endMs - startMs).to.be.at.most(186_000);
  });

  it('chunks cover every segment, in order, and overlap the next one by at least a second', () => {
    const shape = fc.tuple(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 300, max: 8_000 }),
      fc.integer({ min: 1_000, max: 300_000 }),
    );
    fc.assert(
      fc.property(shape, ([count, ms, chunkMs]) => {
        const all = segments(count, ms);
        const chunks = cutIntoChunks(all, chunkMs);
        expect(new Set(chunks.flatMap(({ segments: own }) => own)).size).to.equal(count);
        chunks.slice(1).forEach((next, index) => {
          const before = chunks[index];
          const over = (before?.endMs ?? 0) - next.startMs;
          expect(next.startMs).to.be.greaterThan(before?.startMs ?? 0);
          expect(over).to.be.at.least(Math.min(1_000, (all.at(-1)?.endMs ?? 0) - next.startMs));
          expect(over).to.be.at.most(1_000 + ms);
        });
      }),
      { numRuns: runs(200) },
    );
  });
});

/** The words of a video as transcribed in a chunk: slightly shifted, and without those at or too near to its edges. */
function transcribed(
  words: readonly Word[],
  { startMs, endMs }: Span,
  shift: number,
  lostMs: number,
): TranscribedChunk {
  return {
    startMs,
    endMs,
    words: words
      .filter((word) => word.endMs > startMs + (startMs === 0 ? 0 : lostMs) && word.startMs < endMs - lostMs)
      .map((word) => {
        const isWhole = word.startMs >= startMs && word.endMs <= endMs;
        const [from, to] = [Math.max(startMs, word.startMs + shift), Math.min(endMs, word.endMs + shift)];
        return { ...word, text: isWhole ? word.text : 'half', startMs: from, endMs: to };
      }),
  };
}

const speech = fc
  .array(fc.record({ pause: fc.integer({ min: 40, max: 900 }), length: fc.integer({ min: 80, max: 600 }) }), {
    minLength: 30,
    maxLength: 120,
  })
  .map((parts) => {
    let at = 0;
    return parts.map(({ pause, length }, index): Word => {
      const startMs = at + pause;
      at = startMs + length;
      return { text: `w${index}`, startMs, endMs: at, confidence: 1 };
    });
  });

describe('joinWords', () => {
  it('each word of overlapping chunks comes out once, in order, whatever the cut goes through', () => {
    fc.assert(
      fc.property(
        speech,
        fc.integer({ min: -15, max: 15 }),
        fc.integer({ min: 0, max: 500 }),
        (words, shift, lostMs) => {
          const all = cutIntoChunks(segments(Math.ceil((words.at(-1)?.endMs ?? 0) / 6_000)), 12_000);
          const chunks = all.map((chunk, index) =>
            transcribed(words, chunk, index % 2 === 0 ? 0 : shift, index === all.length - 1 ? 0 : lostMs),
          );
          expect(joinWords(chunks).map(({ text }) => text)).to.deep.equal(words.map(({ text }) => text));
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it('the words of a single chunk stay as they are, and no chunks yield no words', () => {
    expect(joinWords([])).to.deep.equal([]);
    const words = [{ text: 'one', startMs: 0, endMs: 300, confidence: null }];
    expect(joinWords([{ startMs: 0, endMs: 6_000, words }])).to.deep.equal(words);
  });

  it('two chunks are joined in the middle of a silence that both contain', () => {
    const word = (text: string, startMs: number): Word => ({ text, startMs, endMs: startMs + 400, confidence: 1 });
    const one = { startMs: 0, endMs: 18_000, words: [word('before', 12_500), word('goal', 16_500)] };
    const next = {
      startMs: 12_000,
      endMs: 30_000,
      words: [word('bee', 12_600), word('for', 12_900), word('goal', 16_480)],
    };
    expect(joinWords([one, next]).map(({ text, startMs }) => [text, startMs])).to.deep.equal([
      ['before', 12_500],
      ['goal', 16_480],
    ]);
  });

  it('at a seam a word is written as the earlier chunk does, with the marks of the later one', () => {
    const words = (text: string, fromMs: number): Word[] =>
      text.split(' ').map((own, index) => ({
        ...{ text: own, startMs: fromMs + index * 400, endMs: fromMs + index * 400 + 380, confidence: 1 },
      }));
    const join = (ours: string, theirs: string, shiftMs = 0): string =>
      joinWords([
        { startMs: 0, endMs: 18_000, words: words(ours, 12_000) },
        { startMs: 12_000, endMs: 30_000, words: words(theirs, 12_000 + shiftMs) },
      ])
        .map(({ text }) => text)
        .join(' ');
    const rest = 'and the crowd goes wild and sings until the end of the match.';
    expect(join('He scores the winning Goal.', `scores the winning goal, ${rest}`, 400)).to.equal(
      `He scores the winning Goal, ${rest}`,
    );
    expect(join('He scores. The winning goal.', `The winning goal ${rest} Then`, 800)).to.equal(
      `He scores. The winning goal ${rest} Then`,
    );
    // No word in common: the earlier chunk ended in the middle of the sentence.
    expect(join('He scores the winning.', 'goal Nobody can believe it at all today.', 1_800)).to.equal(
      'He scores the winning goal Nobody can believe it at all today.',
    );
    // Times that differ by more than a word's length.
    expect(join('we see a goal goal goal by him', 'see a goal goal goal by him today.', 600)).to.equal(
      'we see a goal goal goal by him today.',
    );
  });
});
