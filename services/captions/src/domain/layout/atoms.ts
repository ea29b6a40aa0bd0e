/** Text cut into the parts between which a line may break, by the rules of its script. */
import { graphemes, widthOf } from './graphemes.ts';

/** The widest line of a cue, in columns. */
const LINE_COLUMNS = 42;

/** The same where most is in full-width characters: 16 of them. */
const WIDE_LINE_COLUMNS = 32;

export type Atom = {
  readonly text: string;
  readonly width: number;
  /** Not preceded by a space. */
  readonly glued: boolean;
  /** Begins within a word of a script without spaces (`markWords`). */
  readonly inWord?: boolean;
  /** Another speaker begins with it: its text has a dash (`withDash`). */
  readonly turn?: boolean;
};

/** Scripts that write no spaces between words and may break between almost any two characters. */
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff65]/u;
/** Scripts that write no spaces between words and break only at words. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Never first on a line, and never last (kinsoku, JIS X 4051; for Chinese GB/T 15834 agrees). */
const notFirst =
  /^[、。，．・：；？！ー々〻ゝゞヽヾ）］｝〕〉》」』】〙〗％ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)\]}%’”…‥～]/u;
const notLast = /[（［｛〔〈《「『【〘〖([{‘“＄￥＃]$/u;

/** Dictionaries of all scripts without spaces, whatever the language. */
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

/**
 * Whether two words that follow each other are written without a space between. Japanese and Chinese put none beside
 * Latin letters and digits either.
 */
export function writtenTogether(before: string, after: string): boolean {
  const [last, first] = [before.slice(-1), after.slice(0, 1)];
  return ideographic.test(last) || ideographic.test(first) || (unspaced.test(last) && unspaced.test(first));
}

const DASH = '- ';

/** The atom with which another speaker begins. */
export function withDash<A extends Atom>(atom: A): A {
  return { ...atom, text: dashed(atom.text), width: atom.width + DASH.length, turn: true };
}

export function dashed(text: string): string {
  return text.startsWith(DASH) ? text : DASH + text;
}

/** Marks the atoms of a text at which no word begins, by a dictionary: Japanese and Chinese may break there, but rather not. */
export function markWords<A extends Atom>(atoms: readonly A[]): A[] {
  const text = textOf(atoms);
  if (!ideographic.test(text)) return [...atoms];
  const starts = new Set([...words.segment(text)].map(({ index }) => index));
  let at = 0;
  return atoms.map((atom, index) => {
    if (index > 0 && !atom.glued) at += 1;
    const inWord = !starts.has(at);
    at += atom.text.length;
    return inWord ? { ...atom, inWord } : atom;
  });
}

/** The widest line of a cue of these atoms, in columns. */
export function lineColumns(atoms: readonly Atom[]): number {
  const wide = atoms.reduce((sum, { text, width }) => sum + Math.sign(width - text.length) * text.length, 0);
  return wide > 0 ? WIDE_LINE_COLUMNS : LINE_COLUMNS;
}

export function textOf(atoms: readonly Atom[]): string {
  return atoms.map(({ text, glued }, index) => (index === 0 || glued ? text : ` ${text}`)).join('');
}
