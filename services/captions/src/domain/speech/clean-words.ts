/** Cleans the words of a speech engine: removes its markers, orders them, and makes their times plausible. */
import { primarySubtag } from '../language-tag.ts';
import { plainText } from '../plain-text.ts';
import { divideSpan, type Word, type Span } from '../words.ts';

/** `<s>`, `<sil>`, `[NOISE]`, `(music)`, `++BREATH++`, notes: how engines mark sound that is not a word. */
const marker = /^(<.*>|\[.*\]|\(\p{L}+\)|\*\p{L}+\*|\+\+.*\+\+|[\p{P}\p{S}♪♫]+)$/u;
const brackets: Readonly<Record<string, RegExp>> = { '[': /\]\W*$/, '(': /\)\W*$/, '*': /\*\W*$/ };
/** Marks that an engine writes as words of their own belong to the word before; of these, French puts some after a space. */
const mark = /^[.,!?…:;。、，！？：；؟،؛।»”]+$/u;
const spacedInFrench = /^[!?:;»]/;

export function isMarker({ text }: Word): boolean {
  return marker.test(text) && !/\p{Sc}|%/u.test(text);
}

/** Words and markers in the order of their times, without overlap: each ends when the next begins at the latest. */
export function orderedWords(recognized: readonly Word[], language: string): Word[] {
  const single = withMarks(recognized.flatMap(singleWords), primarySubtag(language) === 'fr');
  const words = withoutBrackets(single).toSorted((one, other) => one.startMs - other.startMs);
  return words.map((word, index) => {
    const next = words[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    return { ...word, endMs: Math.max(word.startMs, Math.min(word.endMs, next)) };
  });
}

function withMarks(words: readonly Word[], isFrench: boolean): Word[] {
  const out: Word[] = [];
  for (const word of words) {
    const before = out.at(-1);
    if (before === undefined || !mark.test(word.text) || isMarker(before)) out.push(word);
    else {
      const space = isFrench && spacedInFrench.test(word.text) ? '\u00a0' : '';
      out[out.length - 1] = { ...before, text: before.text + space + word.text };
    }
  }
  return out;
}

/** Removes multi-word markers such as `[crowd` `cheering]`, `(upbeat` `music)` and `*laughs` `softly*`. */
function withoutBrackets(words: readonly Word[]): Word[] {
  const out: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) continue;
    const bracket = brackets[word.text[0] ?? ''];
    const end = bracket === undefined ? -1 : words.slice(index, index + 5).findIndex(({ text }) => bracket.test(text));
    if (end > 0) {
      out.push({ ...word, text: '[NOISE]', endMs: words[index + end]?.endMs ?? word.endMs });
      index += end;
    } else out.push(word);
  }
  return out;
}

/** Splits an entry of several words, which share its time by their length. */
function singleWords(word: Word): Word[] {
  const parts: Omit<Word, keyof Span>[] = plainText(word.text)
    .split(' ')
    .map((text) => ({ text, confidence: word.confidence }))
    .filter(({ text }) => text !== '');
  const startMs = time(word.startMs);
  if (parts[0] && word.turn) parts[0] = { ...parts[0], turn: true };
  return divideSpan(parts, ({ text }) => text.length, { startMs, endMs: Math.max(startMs, time(word.endMs)) });
}

function time(ms: number): number {
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : 0;
}
