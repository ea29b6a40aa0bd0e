/**
 * Spells the names of a list where the recogniser heard something that sounds like them and was not sure of it. A word
 * that it was sure of is never another one, and neither is one whose confidence is unknown; beside an unsure one it gets the
 * name's capital letters.
 */
import { writtenTogether } from '../layout/atoms.ts';
import type { Word } from '../words.ts';
import { bare, isOf, isOneSpan, joined, replaced } from './name-words.ts';
import { distance, isShort, MAX_DISTANCE_OF_SHORT, soundOf } from './sounds.ts';

/** Below it a word may have been something else, less by the distance of its sound from that of the name. */
const MIN_SURE = 0.85;
/** So much of a name may sound otherwise; of a short one, a vowel. */
const MAX_DISTANCE = 0.25;
/** Of one that is heard as more words or fewer, as a common word is like many a name of two. */
const MAX_DISTANCE_OF_OTHER_COUNT = 0.17;
/** Names that begin otherwise are others, however they go on. */
const MAX_DISTANCE_OF_FIRST = 0.5;
/** Shorter sounds are like too many words. */
const MIN_SOUND = 4;
/** Words that may be one name, and words of a name that may be one. */
const MAX_JOINED = 3;

type Candidate = { readonly words: readonly string[]; readonly sound: string };
type Match = { readonly count: number; readonly words: readonly string[]; readonly score: number };

/**
 * @param words in order
 * @param names as the partner spells them (list-names.ts)
 * @returns the same words, other than those that became names; these take exactly the time of what they replace
 */
export function spellNames(words: readonly Word[], names: readonly string[]): Word[] {
  const candidates = candidatesOf(names);
  const spelt = new Set(names.flatMap((name) => name.split(' ')));
  if (candidates.length === 0) return [...words];
  const out: Word[] = [];
  for (let index = 0; index < words.length;) {
    const match = bestMatch(words.slice(index, index + MAX_JOINED), candidates, spelt);
    if (match) out.push(...replaced(words.slice(index, index + match.count), match.words));
    else out.push(...words.slice(index, index + 1));
    index += match?.count ?? 1;
  }
  return out;
}

/** Whole names: of one word alone, too many strangers' have one that sounds like it. */
function candidatesOf(names: readonly string[]): Candidate[] {
  return names
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
    if (!window.some((word, at) => isUnsure(word, 0) && !spelt.has(texts[at] ?? ''))) continue;
    const sound = soundOf(joined(texts));
    for (const candidate of candidates) {
      const given = texts.filter((text) => spelt.has(text));
      const isWhole = given.length === candidate.words.length && given.length > 0;
      if (isWhole || given.some((text) => !candidate.words.includes(text))) continue;
      if (given.length === 0 && distance(sound[0] ?? '', candidate.sound[0] ?? '') > MAX_DISTANCE_OF_FIRST) continue;
      const away = distance(sound, candidate.sound);
      if (!window.every((word, at) => isUnsure(word, away) || isOf(candidate.words, texts[at] ?? ''))) continue;
      const max = maxDistance(candidate, count);
      // The more is explained the better: the whole name rather than a part of it.
      const score = candidate.sound.length * (1 - 2 * away);
      if (away <= max && score > (best?.score ?? 0)) best = { count, words: candidate.words, score };
    }
  }
  return best;
}

function maxDistance({ words, sound }: Candidate, count: number): number {
  if (isShort(sound)) return MAX_DISTANCE_OF_SHORT;
  return words.length === count ? MAX_DISTANCE : MAX_DISTANCE_OF_OTHER_COUNT;
}

function isUnsure({ confidence }: Word, away: number): boolean {
  return confidence !== null && confidence < MIN_SURE - away;
}
