/** Numbers written with digits, compared by value across languages and scripts. */

const written = /\p{Nd}+(?:[.,'’٫٬]\p{Nd}+)*/gu;

/** The numbers of `source` that are missing in `translated`, each as often as it is missing. */
export function lostNumbers(source: string, translated: string): string[] {
  const [apart, grouped] = [missing(source, translated), missing(source, withoutGroups(translated))];
  return grouped.length < apart.length ? grouped : apart;
}

function missing(source: string, translated: string): string[] {
  const left = numbersIn(translated).map(valueOf);
  return numbersIn(source).filter((number) => {
    const at = left.indexOf(valueOf(number));
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

/** As they are written. */
export function numbersIn(text: string): string[] {
  return text.match(written) ?? [];
}

/** The separators of a language's numbers by CLDR, in its default digits; undefined for a language that ICU does not know. */
function separatorsOf(language: string): { readonly group: string; readonly decimal: string } | undefined {
  if (Intl.NumberFormat.supportedLocalesOf(language).length === 0) return undefined;
  const parts = new Intl.NumberFormat(language, { minimumFractionDigits: 1, useGrouping: 'always' }).formatToParts(
    12_345,
  );
  const valueOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { group: valueOf('group'), decimal: valueOf('decimal') };
}

/**
 * The translation with the separators of its language in numbers that the engine left as they are written in the
 * source's. Digits stay: CLDR's default ones are the Latin of every default language.
 */
export function inFormOf(source: string, translated: string, from: string, to: string): string {
  if (numbersIn(source).length === 0) return translated;
  const [before, after] = [separatorsOf(from), separatorsOf(to)];
  if (!before || !after || before.decimal === after.decimal) return translated;
  const [group, decimal] = [RegExp.escape(before.group), RegExp.escape(before.decimal)];
  const form = new RegExp(`^(?:\\d{1,3}(?:${group}\\d{3})+(?:${decimal}\\d+)?|\\d+${decimal}\\d+)$`, 'u');
  const left = new Set(numbersIn(source).filter((number) => form.test(number)));
  if (left.size === 0) return translated;
  return translated.replaceAll(written, (number) =>
    left.has(number)
      ? number.replaceAll(/\P{Nd}/gu, (sign) => (sign === before.decimal ? after.decimal : after.group))
      : number,
  );
}

/** Only the digits, so that 1,250.75 and 1.250,75 and ١٬٢٥٠٫٧٥ are one number; without leading zeros. */
function valueOf(number: string): string {
  return number
    .normalize('NFKC')
    .replaceAll(/[^\p{Nd}]/gu, '')
    .replaceAll(/\p{Nd}/gu, asciiDigit)
    .replace(/^0+(?=\d)/, '');
}

/** The value of a decimal digit of any script: the ten digits of each script are consecutive and in order. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (point - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(point - zero);
}

/** `1 250` is how some languages write `1,250`. */
function withoutGroups(text: string): string {
  return text.replaceAll(/(\p{Nd})[\s\u00a0\u202f](?=\p{Nd}{3}(?!\p{Nd}))/gu, '$1');
}
