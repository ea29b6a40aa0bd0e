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
