/** Word error rate: substitutions, insertions and deletions divided by the number of spoken words. */

const digits =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** Words without case and marks; small numbers as words, since engines differ in that and viewers do not care. */
export function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => (/^\d+$/.test(word) ? (digits[Number(word)] ?? word) : word));
}

/** Characters without spaces and marks, for languages that write no spaces. */
export function plainCharacters(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]/gu) ?? []
  );
}

/** Levenshtein distance over words, or characters. */
export function wordErrors(spoken: readonly string[], recognized: readonly string[]): number {
  let row = Array.from({ length: recognized.length + 1 }, (_none, index) => index);
  for (const [index, word] of spoken.entries()) {
    const next = [index + 1];
    for (const [at, other] of recognized.entries()) {
      const swap = (row[at] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(swap, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Errors in the words that are not the name: what stands beside it, or in its place, is the name's. */
export function errorsBeside(
  spoken: readonly string[],
  recognized: readonly string[],
  name: readonly string[],
): number {
  const at = spoken.findIndex((_word, index) => name.every((part, place) => spoken[index + place] === part));
  if (at === -1) return wordErrors(spoken, recognized);
  const [head, tail] = [spoken.slice(0, at), spoken.slice(at + name.length)];
  // Of all places where the name may have been heard, the one that explains the rest best.
  let least = Number.POSITIVE_INFINITY;
  for (let from = 0; from <= recognized.length; from += 1)
    for (let to = from; to <= Math.min(recognized.length, from + name.length + 2); to += 1)
      least = Math.min(least, wordErrors(head, recognized.slice(0, from)) + wordErrors(tail, recognized.slice(to)));
  return least;
}
