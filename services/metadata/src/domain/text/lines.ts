/** Parses tesseract's output (`tsv`) into lines of text, without misread fragments. */

/** In thousandths of the picture's width and height. */
export type Box = readonly [left: number, top: number, width: number, height: number];
export type Line = { readonly text: string; readonly confidence: number; readonly box: Box };

type Word = {
  readonly line: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** 0 to 100. */
  readonly confidence: number;
  readonly text: string;
};

const MIN_CONFIDENCE = 60;
const MAX_LETTERS = 200;

/** The most lines of one picture: a page of small print is not screen text. */
const MAX_LINES = 40;

/**
 * The lines of a picture, top first.
 * @param width of the picture in pixels, as `height`
 */
export function parseLines(tsv: string, width: number, height: number): readonly Line[] {
  const lines = new Map<string, Word[]>();
  for (const word of tsv.split('\n').flatMap(parseWord)) lines.set(word.line, [...(lines.get(word.line) ?? []), word]);
  return [...lines.values()]
    .map(meaningfulWords)
    .filter((words) => words.length > 0 && isText(words))
    .map((words) => lineOf(words, width, height))
    .slice(0, MAX_LINES);
}

function parseWord(row: string): Word[] {
  const columns = row.split('\t');
  if (columns.length < 12 || columns[0] !== '5') return [];
  const [left = 0, top = 0, width = 0, height = 0, confidence = 0] = columns.slice(6, 11).map(Number);
  const text = columns
    .slice(11)
    .join(' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trim();
  if (text === '' || ![left, top, width, height, confidence].every(Number.isFinite)) return [];
  return [
    { line: columns.slice(1, 5).join('.'), left, top, width, height, confidence, text: text.slice(0, MAX_LETTERS) },
  ];
}

/**
 * The words of a line that are text: words, numbers, the dash of a score between numbers, single letters beside words.
 */
function meaningfulWords(words: readonly Word[]): Word[] {
  const solid = words.filter(({ text, confidence }) => confidence > MIN_CONFIDENCE && !isClock(text));
  return solid.filter(({ text, confidence }, index) => {
    if (isWord(text) || isNumber(text)) return true;
    const [before, after] = [solid[index - 1]?.text ?? '', solid[index + 1]?.text ?? ''];
    if (isDash(text)) return isNumber(before) && isNumber(after);
    return (
      confidence > 90 &&
      /^(?:\p{Lu}|&|\p{N}+[-–:]\p{N}+|[#№]?\p{N}+[.%°]?)$/u.test(text) &&
      (isWord(before) || isWord(after))
    );
  });
}

/** A game clock changes every second and describes nothing. */
function isClock(text: string): boolean {
  return /^\p{N}{1,3}[:.]\p{N}{2}$/u.test(text);
}

/** Letters that form a word, an abbreviation or a name, with signs in and around it. */
function isWord(text: string): boolean {
  const letters = text.replaceAll(/[^\p{L}]/gu, '');
  const plain = text.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if ([...plain].length < 2 || plain.length / text.length < 0.6) return false;
  return (
    letters.length >= 2 && /^(?:\p{Lu}+|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{Lu}\p{Ll}*\p{Lu}\p{Ll}+)$/u.test(letters)
  );
}

function isNumber(text: string): boolean {
  return /^\p{N}{1,4}$/u.test(text);
}

function isDash(text: string): boolean {
  return /^[-–—:]$/.test(text);
}

/** Whether a line is meaningful: five letters, a short word with high confidence, or a score. */
function isText(words: readonly Word[]): boolean {
  const proper = words.filter(({ text }) => isWord(text));
  const letters = proper.reduce((sum, { text }) => sum + [...text.replaceAll(/[^\p{L}]/gu, '')].length, 0);
  const score = words.some(({ text }, index) => isDash(text) && index > 0);
  const sure = words.every(({ confidence }) => confidence >= 85);
  return letters >= 5 || (letters >= 3 && sure) || (score && words.length >= 3 && sure);
}

function lineOf(words: readonly Word[], width: number, height: number): Line {
  const [left, top] = [Math.min(...words.map((word) => word.left)), Math.min(...words.map((word) => word.top))];
  const right = Math.max(...words.map((word) => word.left + word.width));
  const bottom = Math.max(...words.map((word) => word.top + word.height));
  const thousandths = (share: number): number => Math.max(0, Math.min(1_000, Math.round(share * 1_000)));
  return {
    text: words
      .map(({ text }) => text)
      .join(' ')
      .normalize('NFC')
      .slice(0, MAX_LETTERS),
    confidence: Number((words.reduce((sum, word) => sum + word.confidence, 0) / words.length / 100).toFixed(2)),
    box: [
      thousandths(left / width),
      thousandths(top / height),
      thousandths((right - left) / width),
      thousandths((bottom - top) / height),
    ],
  };
}
