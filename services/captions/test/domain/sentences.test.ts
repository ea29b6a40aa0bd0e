import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { sentencesOf } from '../../src/domain/speech/sentences.ts';
import type { Word } from '../../src/domain/words.ts';
import { brokenSpeech, plainSpeech } from './arbitraries.ts';

/** "word@ms" entries, each lasting until 20 ms before the next unless written as "word@from-to". */
function wordsAt(entries: string, confidence: number | null = null): Word[] {
  const parts = entries.split(' ').map((entry) => /^(.+)@(\d+)(?:-(\d+))?$/.exec(entry));
  return parts.map((part, index) => {
    const startMs = Number(part?.[2]);
    const next = Number(parts[index + 1]?.[2] ?? startMs + 300);
    return {
      text: part?.[1] ?? '',
      startMs,
      endMs: Number(part?.[3] ?? Math.min(startMs + 400, next - 20)),
      confidence,
    };
  });
}

function texts(words: readonly Word[], language = 'en'): string[] {
  return sentencesOf(words, language).map(({ text }) => text);
}

describe('sentencesOf', () => {
  it('an unpunctuated sentence ends at a pause, and gets a capital letter and a full stop', () => {
    const words = wordsAt("what@0 a@300 save@400 and@2000 i@2300 think@2500 it's@2800 three@3100 nil@3400");
    assert.deepEqual(texts(words), ['What a save.', "And I think it's three nil."]);
  });

  it('a long unpunctuated sentence ends at a short pause before a word that begins a thought', () => {
    const long =
      'the@0 striker@200 moves@600 past@900 the@1100 last@1300 defender@1500 and@1900 shoots@2100 wide@2400-2700';
    assert.deepEqual(texts(wordsAt(`${long} but@2900 the@3100 crowd@3300 sings@3700`)), [
      'The striker moves past the last defender and shoots wide.',
      'But the crowd sings.',
    ]);
  });

  it('an engine’s own punctuation ends sentences, but an abbreviation does not', () => {
    const words = wordsAt('Here@0 is@200 Dr.@400 Jones.@800 What@1400 a@1700 save!@1900 He@2900 smiles.@3100');
    assert.deepEqual(texts(words), ['Here is Dr. Jones.', 'What a save!', 'He smiles.']);
  });

  it('an engine’s markers of sounds and numbers of pronunciations are removed', () => {
    const words = wordsAt(
      '<s>@0 and(2)@100 <sil>@400 the@500 goal@700 [NOISE]@1100 [crowd@1200 cheering]@1400 stands@1600 ♪@2100 </s>@2200',
    );
    assert.deepEqual(texts(words), ['And the goal stands.']);
  });

  it('sentences that follow each other faster than a cue can be shown are joined', () => {
    const words = wordsAt('Yes.@0-300 No.@400-700 Perhaps@800 tomorrow.@1400-2000 Then@4000 again.@4400-4900');
    assert.deepEqual(texts(words), ['Yes. No. Perhaps tomorrow.', 'Then again.']);
  });

  it('Japanese and Thai are written without spaces between words', () => {
    assert.deepEqual(texts(wordsAt('素晴らしい@0 セーブ@800'), 'ja'), ['素晴らしいセーブ。']);
    assert.deepEqual(texts(wordsAt('ประตู@0 สวย@800'), 'th'), ['ประตูสวย']);
  });

  it('numbers stay as they were spoken', () => {
    assert.deepEqual(texts(wordsAt('At@0 4:32@300 it@700 is@900 3-1,@1100 twenty@1500 one@1900 50%@2200 off.@2600')), [
      'At 4:32 it is 3-1, twenty one 50% off.',
    ]);
  });

  it('every sentence has the times of its words, in order, and its words make up its text', () => {
    fc.assert(
      fc.property(brokenSpeech, (words) => {
        let before = 0;
        for (const { text, startMs, endMs, words: own } of sentencesOf(words, 'en')) {
          assert.isAtLeast(startMs, before);
          assert.equal(own[0]?.startMs, startMs);
          assert.equal(own.at(-1)?.endMs, endMs);
          assert.equal(text.replaceAll(' ', ''), own.map((word) => word.text).join(''));
          before = endMs;
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('no word of speech is lost but small ones that stand alone', () => {
    fc.assert(
      fc.property(plainSpeech, (words) => {
        const letters = (all: readonly string[]): string => all.join('').toLowerCase().replaceAll('.', '');
        const kept = sentencesOf(words, 'en').flatMap((sentence) => sentence.words.map((word) => word.text));
        const varied = new Set(words.map(({ text }) => text)).size > words.length / 2;
        fc.pre(varied && words.every(({ text }) => text.length > 2));
        assert.equal(letters(kept), letters(words.map(({ text }) => text)));
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('sentencesOf for music, noise and crowds', () => {
  const none = (words: readonly Word[]): void => assert.deepEqual(texts(words), []);

  it('a run of low confidence is dropped, but an uncertain word within clear speech is kept', () => {
    none(wordsAt('lovely@0 evening@400 outside@800', 0.04));
    const clear = wordsAt('what@0 a@300 lovely@500 evening@900', 0.8);
    assert.deepEqual(texts(clear.map((word, index) => (index === 2 ? { ...word, confidence: 0.002 } : word))), [
      'What a lovely evening.',
    ]);
  });

  it('a word that lasts longer than anyone speaks is dropped', () => {
    none([{ text: 'thank', startMs: 220, endMs: 19_740, confidence: 0.9 }]);
  });

  it('a run with as many noises as words is dropped', () => {
    none(wordsAt('the@0 [SPEECH]@300 key@600 [SPEECH]@900 ball@1200 ++NOISE++@1500'));
  });

  it('one word repeated again and again is dropped, and so are words faster than anyone speaks', () => {
    none(wordsAt('thanks@0 thanks@400 thanks@800 thanks@1200 thanks@1600 thanks@2000 thanks@2400 thanks@2800'));
    none(wordsAt('yesterday@0-10 everybody@10-20 shouted@20-30 wonderful@30-40 nonsense@40-50'));
  });

  it('an hour of speech without a pause that repeats its words is kept, an hour of one word is dropped', () => {
    const talk = (vocabulary: number): Word[] =>
      Array.from({ length: 10_000 }, (_none, index) => {
        const [startMs, endMs] = [index * 360, (index + 1) * 360];
        return { text: `word${(index * 7) % vocabulary}`, startMs, endMs, confidence: 0.9 };
      });
    assert.equal(texts(talk(500)).join(' ').split(' ').length, 10_000);
    none(talk(1));
  });

  it('small words that stand alone between pauses are dropped, a single large one is kept', () => {
    assert.deepEqual(texts(wordsAt('to@0 it@300 goal@5000 the@9000')), ['Goal.']);
  });

  it('impossible times of words are replaced by plausible ones', () => {
    const words = [
      { text: 'second half', startMs: 1_000.4, endMs: 500, confidence: null },
      { text: 'begins', startMs: Number.NaN, endMs: -5, confidence: null },
    ];
    const times = sentencesOf(words, 'en').flatMap((sentence) =>
      sentence.words.map(({ startMs, endMs }) => [startMs, endMs]),
    );
    assert.deepEqual(times, [
      [0, 0],
      [1_000, 1_000],
      [1_000, 1_000],
    ]);
  });
});
