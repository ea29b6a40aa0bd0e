import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { widthOf } from '../../src/domain/layout/graphemes.ts';
import type { Cue } from '../../src/domain/layout/cues.ts';
import { buildSpokenCues } from '../../src/domain/layout/build-cues.ts';
import { sentencesOf } from '../../src/domain/speech/sentences.ts';
import type { SpokenSentence, Word } from '../../src/domain/words.ts';
import { brokenSpeech, languages, speech } from './arbitraries.ts';
import { checkAlways, shown, withoutSpaces } from './cue-rules.ts';

const END_MS = 10_000_000;
/** The longest silence within a cue. */
function silence({ startMs, endMs }: Cue, words: readonly Word[]): number {
  const within = words.filter((word) => word.endMs > startMs && word.startMs < endMs);
  const edges = [startMs, ...within.flatMap((word) => [word.startMs, word.endMs]), endMs];
  let longest = 0;
  for (let index = 0; index < edges.length; index += 2) {
    longest = Math.max(longest, (edges[index + 1] ?? 0) - (edges[index] ?? 0));
  }
  return longest;
}

function spoken(words: string, eachMs = 300): SpokenSentence {
  const own = words.split(' ').map((word, index) => ({
    text: word,
    startMs: index * eachMs,
    endMs: index * eachMs + eachMs - 20,
    confidence: null,
  }));
  return { text: words, startMs: 0, endMs: own.at(-1)?.endMs ?? 0, words: own };
}

describe('buildSpokenCues', () => {
  it('every cue stays within two lines of 42 columns and 7 s, clear of its neighbours, whatever the engine returns', () => {
    fc.assert(
      fc.property(brokenSpeech, languages, (words, language) => {
        checkAlways(buildSpokenCues(sentencesOf(words, language), language, END_MS).cues);
      }),
      { numRuns: runs(150) },
    );
  });

  it('speech is shown for at least a second, and never over a silence of more than 1.5 s', () => {
    fc.assert(
      fc.property(speech, languages, (words, language) => {
        const { cues } = buildSpokenCues(sentencesOf(words, language), language, END_MS);
        for (const cue of cues) {
          assert.isAtLeast(cue.endMs - cue.startMs, 1_000, JSON.stringify(cue));
          assert.isAtMost(silence(cue, words), 1_501);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('a viewer has time to read a cue: at most 20 columns a second, or all the time that there is', () => {
    fc.assert(
      fc.property(speech, languages, (words, language) => {
        const { cues } = buildSpokenCues(sentencesOf(words, language), language, END_MS);
        for (const [index, { startMs, endMs, lines }] of cues.entries()) {
          const columns = lines.reduce((sum, line) => sum + widthOf(line), 0);
          const next = cues[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
          const lastWord = words.findLast((word) => word.startMs < endMs)?.endMs ?? 0;
          const readable = columns <= (20.1 * (endMs - startMs)) / 1_000;
          const full = next - endMs <= 80 || endMs - lastWord >= 1_499 || endMs - startMs === 7_000;
          assert.isTrue(readable || full, JSON.stringify(cues[index]));
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('spoken cues neither lose nor invent a letter', () => {
    fc.assert(
      fc.property(brokenSpeech, languages, (words, language) => {
        const sentences = sentencesOf(words, language);
        const { cues } = buildSpokenCues(sentences, language, END_MS);
        assert.equal(shown(cues), withoutSpaces(sentences.map((sentence) => sentence.text).join('')));
      }),
      { numRuns: runs(150) },
    );
  });

  it('a cue begins with its first word', () => {
    const { cues } = buildSpokenCues(
      [spoken('The goalkeeper makes a brilliant save in the final minute of the match.')],
      'en',
      END_MS,
    );
    assert.equal(cues[0]?.startMs, 0);
    assert.deepEqual(cues[0]?.lines, ['The goalkeeper makes a brilliant save', 'in the final minute of the match.']);
  });

  it('a line breaks after a clause rather than after an article or a preposition', () => {
    const { cues } = buildSpokenCues(
      [spoken('She passes to the captain, and the captain scores from the edge.')],
      'en',
      END_MS,
    );
    assert.deepEqual(cues[0]?.lines, ['She passes to the captain,', 'and the captain scores from the edge.']);
  });

  it('a cue that takes longer to read than to speak stays for at most 1.5 s of the silence after it', () => {
    const fast = buildSpokenCues([spoken('Unbelievable extraordinary championship performance.', 250)], 'en', END_MS)
      .cues[0];
    const short = buildSpokenCues([spoken('Goal.')], 'en', END_MS).cues[0];
    assert.equal(fast?.endMs, 2_480);
    assert.equal(short?.endMs, 1_000);
  });

  it('the last cue ends with the video', () => {
    const { cues } = buildSpokenCues([spoken('It is over.')], 'en', 880);
    assert.equal(cues[0]?.endMs, 880);
  });

  it('Japanese lines follow kinsoku: none begins with a full stop or ends with an opening bracket, 21 glyphs each', () => {
    const japanese =
      '守護神が最後の一分に素晴らしいセーブを見せました。観客は「信じられない」と叫びながら立ち上がりました。';
    const { cues } = buildSpokenCues(
      [{ ...spoken(japanese, 9_000), words: [{ text: japanese, startMs: 0, endMs: 9_000, confidence: null }] }],
      'ja',
      END_MS,
    );
    const lines = cues.flatMap((cue) => cue.lines);
    assert.isAbove(lines.length, 2);
    for (const line of lines) {
      assert.isAtMost([...line].length, 21);
      assert.notMatch(line, /^[。、」ょっ]/u);
      assert.notMatch(line, /[「]$/u);
    }
    assert.equal(lines.join(''), japanese);
  });

  it('Thai lines break only between words', () => {
    const thai = 'ผู้รักษาประตูทำการเซฟที่ยอดเยี่ยมในนาทีสุดท้ายของการแข่งขันชิงแชมป์ที่สนามกีฬาแห่งชาติ';
    const { cues } = buildSpokenCues(
      [{ ...spoken(thai, 6_000), words: [{ text: thai, startMs: 0, endMs: 6_000, confidence: null }] }],
      'th',
      END_MS,
    );
    const parts = new Set(
      [...new Intl.Segmenter('th', { granularity: 'word' }).segment(thai)].map(({ index }) => index),
    );
    const lines = cues.flatMap((cue) => cue.lines);
    let at = 0;
    for (const line of lines) {
      assert.isTrue(parts.has(at), `a line begins within a word: ${line}`);
      at += line.length;
    }
    assert.isAbove(lines.length, 1);
  });
});
