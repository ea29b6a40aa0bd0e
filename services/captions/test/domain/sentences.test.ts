import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { sentencesOf } from '../../src/domain/speech/sentences.ts';
import type { Word } from '../../src/domain/words.ts';
import { brokenSpeech, plainSpeech } from './arbitraries.ts';

/** "word@ms" entries, each lasting until 20 ms before the next unless given as "word@from-to". */
function heard(entries: string, confidence: number | null = null): Word[] {
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

describe('captions: words to sentences', () => {
  it('ends a bare sentence at a pause, with a capital letter and a full stop', () => {
    const words = heard("what@0 a@300 save@400 and@2000 i@2300 think@2500 it's@2800 three@3100 nil@3400");
    assert.deepEqual(texts(words), ['What a save.', "And I think it's three nil."]);
  });

  it('ends a long bare sentence at a short pause before a word that begins a thought', () => {
    const long =
      'the@0 striker@200 moves@600 past@900 the@1100 last@1300 defender@1500 and@1900 shoots@2100 wide@2400-2700';
    assert.deepEqual(texts(heard(`${long} but@2900 the@3100 crowd@3300 sings@3700`)), [
      'The striker moves past the last defender and shoots wide.',
      'But the crowd sings.',
    ]);
  });

  it('takes the punctuation of an engine that has it, and no abbreviation for an end', () => {
    const words = heard('Here@0 is@200 Dr.@400 Jones.@800 What@1400 a@1700 save!@1900 He@2900 smiles.@3100');
    assert.deepEqual(texts(words), ['Here is Dr. Jones.', 'What a save!', 'He smiles.']);
  });

  it('removes what an engine says of sounds, and the number of a way to say a word', () => {
    const words = heard(
      '<s>@0 and(2)@100 <sil>@400 the@500 goal@700 [NOISE]@1100 [crowd@1200 cheering]@1400 stands@1600 ♪@2100 </s>@2200',
    );
    assert.deepEqual(texts(words), ['And the goal stands.']);
  });

  it('joins sentences that follow each other faster than a cue can be shown', () => {
    const words = heard('Yes.@0-300 No.@400-700 Perhaps@800 tomorrow.@1400-2000 Then@4000 again.@4400-4900');
    assert.deepEqual(texts(words), ['Yes. No. Perhaps tomorrow.', 'Then again.']);
  });

  it('writes Japanese and Thai without spaces between words', () => {
    assert.deepEqual(texts(heard('素晴らしい@0 セーブ@800'), 'ja'), ['素晴らしいセーブ。']);
    assert.deepEqual(texts(heard('ประตู@0 สวย@800'), 'th'), ['ประตูสวย']);
  });

  it('keeps numbers as they were said', () => {
    assert.deepEqual(texts(heard('At@0 4:32@300 it@700 is@900 3-1,@1100 twenty@1500 one@1900 50%@2200 off.@2600')), [
      'At 4:32 it is 3-1, twenty one 50% off.',
    ]);
  });

  it('gives every sentence the times of its words, in order, and words that are its text', () => {
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

  it('loses no word of speech but small ones that stand alone', () => {
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

describe('captions: music, noise and crowds are no words', () => {
  const none = (words: readonly Word[]): void => assert.deepEqual(texts(words), []);

  it('drops a run that the engine itself does not believe, and keeps a hard word within clear speech', () => {
    none(heard('lovely@0 evening@400 outside@800', 0.04));
    const clear = heard('what@0 a@300 lovely@500 evening@900', 0.8);
    assert.deepEqual(texts(clear.map((word, index) => (index === 2 ? { ...word, confidence: 0.002 } : word))), [
      'What a lovely evening.',
    ]);
  });

  it('drops a word that lasts as no one speaks', () => {
    none([{ text: 'thank', startMs: 220, endMs: 19_740, confidence: 0.9 }]);
  });

  it('drops a run in which there are as many noises as words', () => {
    none(heard('the@0 [SPEECH]@300 key@600 [SPEECH]@900 ball@1200 ++NOISE++@1500'));
  });

  it('drops one word said again and again, and words faster than any tongue', () => {
    none(heard('thanks@0 thanks@400 thanks@800 thanks@1200 thanks@1600 thanks@2000 thanks@2400 thanks@2800'));
    none(heard('yesterday@0-10 everybody@10-20 shouted@20-30 wonderful@30-40 nonsense@40-50'));
  });

  it('keeps an hour of talking without a pause, whose words come again and again, and drops an hour of one word', () => {
    const talk = (vocabulary: number): Word[] =>
      Array.from({ length: 10_000 }, (_none, index) => {
        const [startMs, endMs] = [index * 360, (index + 1) * 360];
        return { text: `word${(index * 7) % vocabulary}`, startMs, endMs, confidence: 0.9 };
      });
    assert.equal(texts(talk(500)).join(' ').split(' ').length, 10_000);
    none(talk(1));
  });

  it('drops small words that stand alone between pauses, and keeps a single large one', () => {
    assert.deepEqual(texts(heard('to@0 it@300 goal@5000 the@9000')), ['Goal.']);
  });

  it('takes times that cannot be for what they may have been', () => {
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
