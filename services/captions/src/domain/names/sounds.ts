/** How alike two spellings sound: a rough phonetic form for languages with Latin letters, and a weighted edit distance. */

const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'e', œ: 'e', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 't', ı: 'i', ŋ: 'n' },
};
/** In this order. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/tsch|tch|sch|sh|ch|cz|sz/g, 'x'],
  [/ph/g, 'f'],
  [/th|dt/g, 't'],
  [/ck|qu|q/g, 'k'],
  [/eau|au|ou|oo/g, 'o'],
  [/ee|ea|ie|ei|ai|ay|ey/g, 'e'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/z/g, 's'],
  [/w/g, 'v'],
  [/y/g, 'i'],
  [/h/g, ''],
  [/(.)\1+/g, '$1'],
];
const vowel = /[aeiou]/;
const alike = new Set(['bp', 'dt', 'gk', 'fv', 'sx', 'mn', 'lr', 'ij', 'jx', 'gj', 'bv']);
const VOWEL = 0.4;
const ALIKE = 0.5;
const MAX_SHORT = 5;

/** A short sound, which is like those of many words, may differ from a name's by so much: a vowel. */
export const MAX_DISTANCE_OF_SHORT = 0.12;

/** Whether a sound is like those of many words. */
export function isShort(sound: string): boolean {
  return sound.length <= MAX_SHORT;
}

/** Letters alone, by their sound; scripts other than Latin stay as they are. */
export function soundOf(text: string): string {
  const letters = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(/[ßæœøłđðþıŋ]/g, (letter) => plainLetters[letter] ?? letter);
  return rules.reduce((sound, [from, to]) => sound.replaceAll(from, to), letters);
}

/** Weighted edits between two sounds, as a share of the longer one: 0 the same, 1 nothing in common. */
export function distance(one: string, other: string): number {
  const [from, to] = [[...one], [...other]];
  let row = [0];
  for (const letter of to) row.push((row.at(-1) ?? 0) + costOf(letter));
  for (const letter of from) {
    const next = [(row[0] ?? 0) + costOf(letter)];
    for (const [at, target] of to.entries()) {
      const swap = (row[at] ?? 0) + swapCost(letter, target);
      next.push(Math.min(swap, (row[at + 1] ?? 0) + costOf(letter), (next[at] ?? 0) + costOf(target)));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(1, from.length, to.length);
}

function costOf(letter: string): number {
  return vowel.test(letter) ? VOWEL : 1;
}

function swapCost(one: string, other: string): number {
  if (one === other) return 0;
  if (vowel.test(one) && vowel.test(other)) return VOWEL;
  return alike.has([one, other].toSorted().join('')) ? ALIKE : 1;
}
