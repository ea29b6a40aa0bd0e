/** Cleans the words of a speech engine: removes its markers, orders them, and makes their times plausible. */
import { plainText } from '../plain-text.ts';
import { divideSpan, type Word } from '../words.ts';

/** `<s>`, `<sil>`, `[NOISE]`, `(music)`, `++BREATH++`, notes: how engines mark sound that is not a word. */
const marker = /^(<.*>|\[.*\]|\(\p{L}+\)|\+\+.*\+\+|[\p{P}\p{S}♪♫]+)$/u;
/** pocketsphinx numbers the pronunciations of a word: `and(2)`. */
const variant = /\(\d+\)$/;

export function isMarker({ text }: Word): boolean {
  return marker.test(text) && !/\p{Sc}|%/u.test(text);
}

/** Words and markers in the order of their times, without overlap: each ends when the next begins at the latest. */
export function orderedWords(recognized: readonly Word[]): Word[] {
  const words = withoutBrackets(recognized.flatMap(singleWords)).toSorted((one, other) => one.startMs - other.startMs);
  return words.map((word, index) => {
    const next = words[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    return { ...word, endMs: Math.max(word.startMs, Math.min(word.endMs, next)) };
  });
}

/** Removes multi-word markers such as `[crowd` `cheering]`. */
function withoutBrackets(words: readonly Word[]): Word[] {
  const out: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) continue;
    const end = word.text.startsWith('[')
      ? words.slice(index, index + 5).findIndex(({ text }) => /\]\W*$/.test(text))
      : -1;
    if (end > 0) {
      out.push({ ...word, text: '[NOISE]', endMs: words[index + end]?.endMs ?? word.endMs });
      index += end;
    } else out.push(word);
  }
  return out;
}

/** Splits an entry of several words, which share its time by their length. */
function singleWords(word: Word): Word[] {
  const parts = plainText(word.text)
    .split(' ')
    .map((part) => ({ text: part.replace(variant, ''), confidence: word.confidence }))
    .filter(({ text }) => text !== '');
  const startMs = time(word.startMs);
  return divideSpan(parts, ({ text }) => text.length, { startMs, endMs: Math.max(startMs, time(word.endMs)) });
}

function time(ms: number): number {
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : 0;
}
