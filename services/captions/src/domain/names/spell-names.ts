/**
 * Spells the names of a list where the recogniser heard something that sounds like them and was not sure of it. A word
 * that it was sure of is never changed, and neither is one whose confidence is unknown.
 */
import { writtenTogether } from '../layout/atoms.ts';
import { divideSpan, type Word } from '../words.ts';
import { distance, soundOf } from './sounds.ts';

/** Below it a word may have been something else. */
const MAX_UNSURE = 0.6;
/** So much of a name may sound otherwise. */
const MAX_DISTANCE = 0.26;
/** Shorter sounds are like too many words. */
const MIN_SOUND = 4;
/** Words that may be one name, and words of a name that may be one. */
const MAX_JOINED = 3;
/** Nobody pauses so long within a name. */
const MAX_PAUSE_MS = 500;
/** Words of a name that are known by themselves, such as a family name. */
const MIN_PART = 5;

type Candidate = { readonly words: readonly string[]; readonly sound: string };
type Match = { readonly count: number; readonly words: readonly string[]; readonly distance: number };

/**
 * @param words in order
 * @param names as the partner spells them (list-names.ts)
 * @returns the same words, other than those that became names; these take exactly the time of what they replace
 */
export function spellNames(words: readonly Word[], names: readonly string[]): Word[] {
  const candidates = candidatesOf(names);
  const spelt = new Set(candidates.flatMap(({ words: parts }) => parts));
  if (candidates.length === 0) return [...words];
  const out: Word[] = [];
  for (let index = 0; index < words.length; ) {
    const match = bestMatch(words.slice(index, index + MAX_JOINED), candidates, spelt);
    if (match) out.push(...replaced(words.slice(index, index + match.count), match.words));
    else out.push(...words.slice(index, index + 1));
    index += match?.count ?? 1;
  }
  return out;
}

/** Names and their longer words. A name without spaces of its script is no sequence of words. */
function candidatesOf(names: readonly string[]): Candidate[] {
  const parts = names.flatMap((name) => name.split(' ').filter((part) => [...part].length >= MIN_PART && /^\p{Lu}/u.test(part)));
  return [...new Set([...names, ...parts])]
    .filter((name) => !writtenTogether(name, name))
    .map((name) => ({ words: name.split(' '), sound: soundOf(name) }))
    .filter(({ words, sound }) => words.length <= MAX_JOINED && sound.length >= MIN_SOUND);
}

/** The name that sounds most like the beginning of `words`, with the number of words that it replaces. */
function bestMatch(words: readonly Word[], candidates: readonly Candidate[], spelt: ReadonlySet<string>) {
  let best: Match | undefined;
  for (let count = 1; count <= words.length; count += 1) {
    const window = words.slice(0, count);
    if (!isOneSpan(window)) break;
    const texts = window.map(({ text }) => bare(text));
    if (!window.some((word, at) => isUnsure(word) && !spelt.has(texts[at] ?? ''))) continue;
    const sound = soundOf(texts.join(''));
    for (const candidate of candidates) {
      const isKept = window.every((word, at) => isUnsure(word) || candidate.words.includes(texts[at] ?? ''));
      if (!isKept || texts.some((text) => spelt.has(text) && !candidate.words.includes(text))) continue;
      if (sound[0] !== candidate.sound[0] && distance(sound[0] ?? '', candidate.sound[0] ?? '') > 0.5) continue;
      const away = distance(sound, candidate.sound);
      if (away <= MAX_DISTANCE && (best === undefined || away < best.distance))
        best = { count, words: candidate.words, distance: away };
    }
  }
  return best;
}

function isUnsure({ confidence }: Word): boolean {
  return confidence !== null && confidence < MAX_UNSURE;
}

/** Whether the words can be one name: no pause and no mark between them. */
function isOneSpan(window: readonly Word[]): boolean {
  return window.slice(1).every((word, index) => {
    const before = window[index];
    return before !== undefined && word.startMs - before.endMs <= MAX_PAUSE_MS && !/[\p{P}\p{S}]$/u.test(before.text);
  });
}

/** The name in the time of the words, with the marks around them. */
function replaced(window: readonly Word[], name: readonly string[]): Word[] {
  const [first, last] = [window[0], window.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [before] = /^[\p{P}\p{S}]*/u.exec(first.text) ?? [''];
  const [after] = /(?:['’]s)?[\p{P}\p{S}]*$/u.exec(last.text) ?? [''];
  const confidence = Math.min(...window.map((word) => word.confidence ?? 1));
  const texts = name.map((text, at) => (at === 0 ? before : '') + text + (at === name.length - 1 ? after : ''));
  if (texts.length === window.length) return window.map((word, at) => ({ ...word, text: texts[at] ?? word.text }));
  const span = { startMs: first.startMs, endMs: last.endMs };
  return divideSpan(
    texts.map((text) => ({ text, confidence })),
    ({ text }) => text.length,
    span,
  );
}

/** Without the marks around it and an English genitive. */
function bare(text: string): string {
  return text.replace(/^[\p{P}\p{S}]+/u, '').replace(/(?:['’]s)?[\p{P}\p{S}]*$/u, '');
}
