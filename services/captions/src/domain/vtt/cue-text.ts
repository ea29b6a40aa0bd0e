/** Text → the payload of a WebVTT cue (W3C WebVTT §3.5): escaped, and with the right text direction. */
import { primarySubtag } from '../language-tag.ts';
import { plainText } from '../plain-text.ts';

const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi']);
const strongRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const RIGHT_MARK = '\u200f';
const LEFT_MARK = '\u200e';

/** One line of a cue; may be empty. */
export function cueLine(text: string, language: string): string {
  const line = plainText(text);
  if (line === '') return '';
  const right = rightToLeft.has(primarySubtag(language));
  return escaped(withMark(right ? withScores(line) : line, right));
}

function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * A player takes each line's direction from its first letter (WebVTT §7.4, unicode-bidi: plaintext). Where that letter
 * has the other direction, or a right-to-left track's line has none, a mark sets the direction.
 */
function withMark(line: string, right: boolean): string {
  const [first = ''] = /\p{L}/u.exec(line) ?? [];
  const reads = first === '' ? undefined : strongRight.test(first);
  if (right) return reads === true ? line : RIGHT_MARK + line;
  return reads === true ? LEFT_MARK + line : line;
}

const number = String.raw`\p{Nd}+(?:[.,:٫٬]\p{Nd}+)*`;
/** A score or a range, and a number with a sign, a currency or a percentage. */
const signed = new RegExp(
  String.raw`${number}(?: ?[-–—/] ?${number})+|(?:(?<![\p{L}\p{N}])[-+−]\p{Sc}?|\p{Sc})${number}[%‰°]?|${number}[%‰°\p{Sc}]`,
  'gu',
);

/**
 * Digits after Arabic letters swap around a dash between them, and so do a sign, a currency and a percentage (UAX #9 W2,
 * W4, W5): a score of 3-1 would read 1-3, and 50% would read %50.
 */
function withScores(line: string): string {
  return line.replaceAll(signed, (score) => `\u2066${score}\u2069`);
}
