/** The width of text on a screen, in columns; a full-width glyph takes two. */

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const simple = /^[\u0020-\u007e\u00a0-\u02ff]*$/;
/** East Asian wide and full-width forms, and pictures; half-width katakana are narrow. */
const wide =
  /^(?![\uff61-\uff9f\uffa0-\uffdc])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]|\ufe0f/u;

/** The width of the text in columns. */
export function widthOf(text: string): number {
  if (simple.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + (wide.test(grapheme) ? 2 : 1), 0);
}

/** What a reader sees as single characters. */
export function graphemes(text: string): string[] {
  return simple.test(text) ? [...text] : [...segmenter.segment(text)].map(({ segment }) => segment);
}
