/** Text cut into the parts between which a line may break, by the rules of its script. */
import { graphemes, widthOf } from './graphemes.ts';

/** The widest line of a cue, in columns. */
export const LINE_COLUMNS = 42;

export type Atom = {
  readonly text: string;
  readonly width: number;
  /** Not preceded by a space. */
  readonly glued: boolean;
};

/** Scripts that write no spaces between words and may break between almost any two characters. */
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff65]/u;
/** Scripts that write no spaces between words and break only at words. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Never first on a line, and never last (kinsoku, JIS X 4051; for Chinese GB/T 15834 agrees). */
const notFirst =
  /^[、。，．・：；？！ー々〻ゝゞヽヾ）］｝〕〉》」』】〙〗％ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)\]}%’”…‥～]/u;
const notLast = /[（［｛〔〈《「『【〘〖([{‘“＄￥＃]$/u;

const words = new Intl.Segmenter('th', { granularity: 'word' });

/** The parts of one line of text; joined, with spaces before those that are not glued, they are the text again. */
export function atomsOf(text: string): Atom[] {
  return text
    .split(' ')
    .filter((token) => token !== '')
    .flatMap((token) =>
      breakable(token)
        .flatMap(fitting)
        .map((part, index) => ({ text: part, width: widthOf(part), glued: index > 0 })),
    );
}

function breakable(token: string): string[] {
  if (unspaced.test(token)) {
    const parts = [...words.segment(token)].map(({ segment }) => segment);
    return joined(parts, (before, after) => !/[\p{L}\p{N}]/u.test(after) || notLast.test(before));
  }
  return ideographic.test(token) ? joined(graphemes(token), kinsoku) : [token];
}

/** Merges neighbours that must stay together. */
function joined(parts: readonly string[], together: (before: string, after: string) => boolean): string[] {
  const out: string[] = [];
  for (const part of parts) {
    const before = out.at(-1);
    if (before !== undefined && together(before, part)) out[out.length - 1] = before + part;
    else out.push(part);
  }
  return out;
}

function kinsoku(before: string, after: string): boolean {
  return (
    notFirst.test(after) || notLast.test(before) || !(ideographic.test(before.slice(-2)) || ideographic.test(after))
  );
}

/** Breaks what is wider than a line at any place; such a word is unreadable either way. */
function fitting(part: string): string[] {
  if (widthOf(part) <= LINE_COLUMNS) return [part];
  const out: string[] = [];
  let width = 0;
  for (const grapheme of graphemes(part)) {
    const columns = widthOf(grapheme);
    if (out.length === 0 || width + columns > LINE_COLUMNS) {
      out.push(grapheme);
      width = columns;
    } else {
      out[out.length - 1] += grapheme;
      width += columns;
    }
  }
  return out;
}

/** Whether two words that follow each other are written without a space between. */
export function writtenTogether(before: string, after: string): boolean {
  const alone = (character: string): boolean => ideographic.test(character) || unspaced.test(character);
  return alone(before.slice(-1)) && alone(after.slice(0, 1));
}

export function textOf(atoms: readonly Atom[]): string {
  return atoms.map(({ text, glued }, index) => (index === 0 || glued ? text : ` ${text}`)).join('');
}
