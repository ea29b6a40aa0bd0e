/**
 * Spells names by a second text of the same sound, which the recogniser heard with the list in mind. Only what sounds
 * like the name in the first text becomes it: the second one may have lost sentences, and heard strangers' names.
 */
import type { Word } from '../words.ts';
import { bare, isOf, isOneSpan, joined, replaced } from './name-words.ts';
import { distance, isShort, MAX_DISTANCE_OF_SHORT, soundOf } from './sounds.ts';

/** The recogniser is sure of a word from here on, whatever it hears with a list in mind. */
const MIN_SURE = 0.85;
/** So much of a name may sound otherwise where the second text has it. */
const MAX_DISTANCE = 0.36;
const MIN_SOUND = 3;
/** Words of the first text that may be one name. */
const MAX_HEARD = 5;
/** Words of both texts between two that are the same: more are other sentences. */
const MAX_BETWEEN = 12;

type Gap = { readonly from: number; readonly to: number; readonly hint: readonly string[] };

/**
 * @param words of the first text, in order
 * @param hint the second text
 * @param names as the partner spells them (list-names.ts)
 * @returns the same words, other than those that became names; these take exactly the time of what they replace
 */
export function spellHinted(words: readonly Word[], hint: string, names: readonly string[]): Word[] {
  if (names.length === 0 || hint === '') return [...words];
  const known = namesByLength(names);
  const texts = words.map(({ text }) => bare(text));
  const out: Word[] = [];
  let done = 0;
  for (const gap of gapsBetween(texts, hint.split(/\s+/u))) {
    let from = gap.from;
    for (const { name, isGenitive } of namesOf(gap.hint, known)) {
      const beside = [words[gap.from - 1], words[gap.to]];
      const found = bestSpan(words.slice(from, gap.to), name, maxDistance(name, beside, names));
      if (!found) continue;
      const [start, end] = [from + found.from, from + found.to];
      const spelt = isHeardAlready(words[start - 1], name) ? name.slice(1) : name;
      out.push(...words.slice(done, start), ...replaced(words.slice(start, end), spelt, isGenitive));
      done = end;
      from = end;
    }
  }
  return [...out, ...words.slice(done)];
}

/** Whether the recogniser was sure of the first word of the name, and spells it as it likes. */
function isHeardAlready(before: Word | undefined, name: readonly string[]): boolean {
  return (
    name.length > 1 && before !== undefined && distance(soundOf(before.text), soundOf(name[0] ?? '')) <= MAX_DISTANCE
  );
}

/** Names and their capitalised words, the longest first. */
function namesByLength(names: readonly string[]): readonly (readonly string[])[] {
  const parts = names.flatMap((name) => name.split(' ').filter((part) => /^\p{Lu}/u.test(part)));
  const all = [...new Set([...names, ...parts])].filter((name) => soundOf(name).length >= MIN_SOUND);
  return all.map((name) => name.split(' ')).toSorted((one, other) => other.length - one.length);
}

/** Where the texts differ: what stands between words that are the same in both, in their order. */
function gapsBetween(words: readonly string[], hint: readonly string[]): Gap[] {
  const gaps: Gap[] = [];
  let [at, other] = [0, 0];
  for (const [index, place] of [...samePlaces(words, hint.map(bare)), [words.length, hint.length] as const]) {
    const isNear = index - at <= MAX_BETWEEN && place - other <= MAX_BETWEEN;
    if (index > at && place > other && isNear) gaps.push({ from: at, to: index, hint: hint.slice(other, place) });
    [at, other] = [index + 1, place + 1];
  }
  return gaps;
}

/** The longest common subsequence of two texts, case aside. */
function samePlaces(words: readonly string[], hint: readonly string[]): (readonly [number, number])[] {
  const [ours, theirs] = [words, hint].map((texts) => texts.map((text) => text.toLowerCase())) as [string[], string[]];
  const rows: number[][] = [theirs.map(() => 0).concat(0)];
  for (const [index, word] of ours.toReversed().entries()) {
    const below = rows[index] ?? [];
    const row = theirs.map(() => 0).concat(0);
    for (let at = theirs.length - 1; at >= 0; at -= 1)
      row[at] = word === theirs[at] ? (below[at + 1] ?? 0) + 1 : Math.max(below[at] ?? 0, row[at + 1] ?? 0);
    rows.push(row);
  }
  const lengthAt = (index: number, at: number): number => rows[ours.length - index]?.[at] ?? 0;
  const places: (readonly [number, number])[] = [];
  for (let [index, at] = [0, 0]; index < ours.length && at < theirs.length;) {
    if (ours[index] === theirs[at]) places.push([index++, at++]);
    else if (lengthAt(index + 1, at) >= lengthAt(index, at + 1)) index += 1;
    else at += 1;
  }
  return places;
}

/** The names that the second text has in a gap, in order. */
function namesOf(hint: readonly string[], known: readonly (readonly string[])[]) {
  const texts = hint.map(bare);
  const found: { readonly name: readonly string[]; readonly isGenitive: boolean }[] = [];
  for (let at = 0; at < hint.length;) {
    const name = known.find((parts) => parts.every((part, place) => texts[at + place] === part));
    if (name) found.push({ name, isGenitive: /['’]s\b/u.test(hint[at + name.length - 1] ?? '') });
    at += name?.length ?? 1;
  }
  return found;
}

/** A short sound has to be near, unless another word of its name stands beside it. */
function maxDistance(name: readonly string[], beside: readonly (Word | undefined)[], names: readonly string[]): number {
  if (!isShort(soundOf(joined(name)))) return MAX_DISTANCE;
  const wholes = names.map((whole) => whole.split(' ')).filter((parts) => name.every((part) => parts.includes(part)));
  const isPart = wholes.some((parts) => beside.some((word) => word !== undefined && isOf(parts, bare(word.text))));
  return isPart ? MAX_DISTANCE : MAX_DISTANCE_OF_SHORT;
}

/** The words that sound most like the name; undefined where none do, or the recogniser was sure of them. */
function bestSpan(
  words: readonly Word[],
  name: readonly string[],
  max: number,
): { from: number; to: number } | undefined {
  const sound = soundOf(joined(name));
  let best: { from: number; to: number; away: number } | undefined;
  for (let from = 0; from < words.length; from += 1)
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_HEARD); to += 1) {
      const span = words.slice(from, to);
      if (!isOneSpan(span)) break;
      const mayChange = span.every(
        ({ text, confidence }) => (confidence !== null && confidence < MIN_SURE) || isOf(name, bare(text)),
      );
      const away = distance(soundOf(joined(span.map(({ text }) => bare(text)))), sound);
      if (mayChange && away <= max && away < (best?.away ?? Infinity)) best = { from, to, away };
    }
  return best;
}
