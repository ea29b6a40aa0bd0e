/** Random speech for the property tests: words with times as engines return them, in all kinds of scripts. */
import fc from 'fast-check';
import type { Word } from '../../src/domain/words.ts';

const latin = fc.stringMatching(/^[a-z]{1,14}$/);
const punctuated = fc.tuple(latin, fc.constantFrom('', '', '', ',', '.', '?', '!')).map(([word, mark]) => word + mark);
const other = fc.constantFrom(
  ...[
    '守門員',
    '素晴らしい',
    'セーブです。',
    '「ゴール」',
    'ประตูในนาทีสุดท้าย',
    'ຜູ້ຮັກສາປະຕູ',
    'حارس',
    'المرمى',
    'שער',
    'בדקה',
    '골키퍼가',
    'вратарь',
  ],
  ...[
    '3-1',
    '2026',
    '4:32',
    'NBA',
    '<b>',
    '-->',
    '&amp;',
    '👨‍👩‍👧‍👦',
    '🏆🏆',
    'a\u0301',
    'x\u0000y',
    'a\u2028b',
    '\u202eabc',
    'Donau'.repeat(20),
  ],
);

export const text = fc.oneof({ weight: 6, arbitrary: punctuated }, { weight: 2, arbitrary: other });
/** Words that are no wider than a line. */
const speakableText = text.filter((word) => word.length <= 40);

type Timing = { readonly afterMs: number; readonly lastsMs: number };

/** At most 25 letters a second, pauses from none to some seconds. */
const speakable = fc.record({
  afterMs: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 120 }) },
    { weight: 2, arbitrary: fc.integer({ min: 120, max: 4_000 }) },
  ),
  lastsMs: fc.integer({ min: 180, max: 900 }),
});

const impossible = fc.record({
  afterMs: fc.integer({ min: 0, max: 40 }),
  lastsMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 8_000, max: 20_000 })),
});

/** Speech that a person could have spoken. */
export const speech = entries(speakableText, speakable).map((entered) => timed(entered.map(atSpeakingPace)));
/** What a broken engine may return: words without duration, or of a quarter of a minute. */
export const brokenSpeech = entries(text, fc.oneof(speakable, impossible)).map(timed);
/** Words of only letters and marks. */
export const plainSpeech = entries(punctuated, speakable).map((entered) => timed(entered.map(atSpeakingPace)));

export const languages = fc.constantFrom('en', 'fr', 'de', 'ja', 'zh', 'th', 'lo', 'ar', 'he', 'ko', 'ru', 'frp');

function entries(words: fc.Arbitrary<string>, timing: fc.Arbitrary<Timing>): fc.Arbitrary<[string, Timing][]> {
  return fc.array(fc.tuple(words, timing), { minLength: 1, maxLength: 80 });
}

/** No speaker is faster than 25 letters a second. */
function atSpeakingPace([word, { afterMs, lastsMs }]: readonly [string, Timing]): readonly [string, Timing] {
  return [word, { afterMs, lastsMs: Math.max(lastsMs, word.length * 40) }];
}

function timed(entered: readonly (readonly [string, Timing])[]): Word[] {
  let at = 0;
  return entered.map(([word, { afterMs, lastsMs }]) => {
    const startMs = at + afterMs;
    at = startMs + lastsMs;
    return { text: word, startMs, endMs: at, confidence: null };
  });
}
