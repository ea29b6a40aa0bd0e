/**
 * Letters without the marks that readers leave out, as rules of a `mapping` character filter: what ICU's folding does
 * (https://www.unicode.org/reports/tr30/tr30-4.html), for an OpenSearch without its plugin.
 */

/** Accents, points, vowel signs beside a letter, and nuktas; no vowel of an Indic script, no voicing of kana. */
const mark =
  /[[\p{Mn}&&[\p{sc=Zinh}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}]]--[\u3099\u309A\uFE00-\uFE0F]]|[\u093C\u09BC\u0A3C\u0ABC\u0B3C\u0CBC]/gv;
/** The filter `asciifolding` has the Latin ones. */
const letter = /^[\p{L}--\p{sc=Latn}]$/v;

const LAST = 0xff_ff;

export const unmarked: readonly string[] = [...rulesOf()];

function* rulesOf(): Generator<string> {
  for (let code = 0; code <= LAST; code++) {
    const character = String.fromCodePoint(code);
    if (!letter.test(character) && character.match(mark) === null) continue;
    const bare = character.normalize('NFD').replaceAll(mark, '').normalize();
    // Texts come composed (NFC).
    if (bare !== character && character === character.normalize()) yield `${escaped(character)}=>${escaped(bare)}`;
  }
}

function escaped(text: string): string {
  return [...text].map((one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join('');
}
