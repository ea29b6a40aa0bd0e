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
