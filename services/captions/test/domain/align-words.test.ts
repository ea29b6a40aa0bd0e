import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { alignWords } from '../../src/domain/speech/align-words.ts';
import type { Word } from '../../src/domain/words.ts';
import { brokenSpeech } from './arbitraries.ts';

/** Levels of 10 ms each: pauses of `background`, and speech within the spans. */
function levels(totalMs: number, spoken: readonly (readonly [number, number])[], background = 0.0005): number[] {
  return Array.from({ length: totalMs / 10 }, (_none, step) =>
    spoken.some(([from, to]) => step * 10 >= from && step * 10 < to) ? 0.1 + 0.05 * Math.sin(step) : background,
  );
}

/** "word@from-to" entries. */
function wordsAt(entries: string): Word[] {
  return entries.split(' ').map((entry) => {
    const [, text = '', from, to] = /^(.+)@(\d+)-(\d+)$/.exec(entry) ?? [];
    return { text, startMs: Number(from), endMs: Number(to), confidence: 0.9 };
  });
}

function times(words: readonly Word[]): number[][] {
  return words.map(({ startMs, endMs }) => [startMs, endMs]);
}

describe('alignWords', () => {
  const spoken = levels(8_000, [
    [900, 3_000],
    [4_500, 7_000],
  ]);

  it('a word that begins with the silence before it begins where the sound does', () => {
    const words = wordsAt('And@0-1300 so@1300-3000 ask@3000-4900 not@4900-5200');
    assert.deepEqual(times(alignWords(words, { levels: spoken, offsetMs: 0 })), [
      [870, 1_300],
      [1_300, 3_000],
      [4_470, 4_900],
      [4_900, 5_200],
    ]);
  });

  it('the end of the word before within a word’s time does not count', () => {
    const words = wordsAt('so@1300-2900 ask@2900-4900');
    assert.deepEqual(times(alignWords(words, { levels: spoken, offsetMs: 0 }))[1], [4_470, 4_900]);
  });

  it('a word whose whole time is silent shares the time in which the next one is spoken', () => {
    const words = wordsAt('The@3100-3900 swimmer@3900-5470');
    assert.deepEqual(times(alignWords(words, { levels: spoken, offsetMs: 0 })), [
      [4_470, 4_770],
      [4_770, 5_470],
    ]);
  });

  it('a word of which only the end of the word before is heard belongs to the next one, but not one that ends a sentence', () => {
    const align = (entries: string): number[][] =>
      times(alignWords(wordsAt(entries), { levels: spoken, offsetMs: 0 })).slice(1);
    assert.deepEqual(align('January@2000-2850 both@2850-3800 sides@4500-5470'), [
      [4_470, 4_914],
      [4_914, 5_470],
    ]);
    assert.deepEqual(align('and@2000-2850 so.@2850-3800 Sides@4500-5470'), [
      [2_850, 3_800],
      [4_500, 5_470],
    ]);
  });

  it('a silent word far before the next one belongs to it, too, but not one before a silence of many seconds', () => {
    assert.deepEqual(times(alignWords(wordsAt('The@3100-3500 swimmer@4600-5470'), { levels: spoken, offsetMs: 0 })), [
      [4_470, 4_770],
      [4_770, 5_470],
    ]);
    const late = levels(12_000, [[9_000, 11_000]]);
    assert.deepEqual(times(alignWords(wordsAt('you@3100-3500 Goal@9000-10000'), { levels: late, offsetMs: 0 })), [
      [3_100, 3_500],
      [9_000, 10_000],
    ]);
  });

  it('times are those of the video, wherever its sound was cut', () => {
    const words = wordsAt('And@60000-61300');
    assert.deepEqual(times(alignWords(words, { levels: spoken, offsetMs: 60_000 })), [[60_870, 61_300]]);
  });

  it('a pause is found over soft noise, and none over music, in silence or after the sound’s end', () => {
    const word = wordsAt('And@0-1300');
    const align = (background: number): number[][] =>
      times(alignWords(word, { levels: levels(8_000, [[900, 3_000]], background), offsetMs: 0 }));
    assert.deepEqual(align(0.008), [[870, 1_300]]);
    assert.deepEqual(align(0.06), [[0, 1_300]]);
    assert.deepEqual(times(alignWords(word, { levels: levels(3_000, [], 0.0005), offsetMs: 0 })), [[0, 1_300]]);
    assert.deepEqual(times(alignWords(word, { levels: [], offsetMs: 0 })), [[0, 1_300]]);
  });

  it('whatever the words and the sound, no word is lost, and all stay in order and within their own and a neighbour’s time', () => {
    const loud = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 50, max: 3_000 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(brokenSpeech, loud, (words, spans) => {
        const sound = levels(
          24_000,
          spans.map(([from, length]) => [from, from + length] as const),
        );
        const aligned = alignWords(words, { levels: sound, offsetMs: 0 });
        assert.deepEqual(
          aligned.map(({ text }) => text),
          words.map(({ text }) => text),
        );
        for (const [index, { startMs, endMs }] of aligned.entries()) {
          const [own, next] = [words[index], words[index + 1]];
          assert.isAtLeast(startMs, words[index - 1]?.startMs ?? own?.startMs ?? 0);
          assert.isAtLeast(endMs, startMs);
          assert.isAtMost(endMs, Math.max(own?.endMs ?? 0, next?.endMs ?? 0));
          assert.isAtLeast(startMs, aligned[index - 1]?.startMs ?? 0);
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
