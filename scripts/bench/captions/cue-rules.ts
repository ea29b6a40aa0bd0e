/** How many cues of a track keep each rule of readable captions, judged by the cues alone. */
import type { Cue } from '@vds/captions/domain/layout/cues';

const fullWidth = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const [MAX_LINES, MAX_LETTERS, MAX_FULL_WIDTH] = [2, 42, 16];
const [MAX_LETTERS_A_SECOND, MAX_FULL_WIDTH_A_SECOND] = [17, 9];
const [MIN_CUE_MS, MAX_CUE_MS] = [1_000, 7_000];
/** Two frames of 25 a second; a longer gap that is still short flickers. */
const [MIN_GAP_MS, MAX_FLICKER_MS] = [80, 500];

const rules: Readonly<Record<string, (cue: Cue, next: Cue | undefined) => boolean>> = {
  'lines fit': ({ lines }) => lines.length <= MAX_LINES && lines.every((line) => lettersOf(line) <= mostLetters(line)),
  speed: ({ startMs, endMs, lines }) => {
    const most = isFullWidth(lines.join('')) ? MAX_FULL_WIDTH_A_SECOND : MAX_LETTERS_A_SECOND;
    return (lettersOf(lines.join('')) * 1_000) / (endMs - startMs) <= most;
  },
  '1 to 7 s': ({ startMs, endMs }) => endMs - startMs >= MIN_CUE_MS && endMs - startMs <= MAX_CUE_MS,
  gaps: ({ endMs }, next) => {
    if (next === undefined) return true;
    const gap = next.startMs - endMs;
    return gap === MIN_GAP_MS || gap >= MAX_FLICKER_MS;
  },
};

/** Such as "lines fit 100 %, speed 86 %". */
export function keptRules(cues: readonly Cue[]): string {
  return Object.entries(rules)
    .map(([name, keeps]) => {
      const kept = cues.filter((cue, index) => keeps(cue, cues[index + 1])).length;
      return `${name} ${((100 * kept) / Math.max(1, cues.length)).toFixed(0)} %`;
    })
    .join(', ');
}

function lettersOf(text: string): number {
  return [...new Intl.Segmenter('und').segment(text)].length;
}

function isFullWidth(text: string): boolean {
  const letters = [...text].filter((letter) => /\p{L}/u.test(letter));
  return letters.filter((letter) => fullWidth.test(letter)).length * 2 > letters.length;
}

function mostLetters(line: string): number {
  return isFullWidth(line) ? MAX_FULL_WIDTH : MAX_LETTERS;
}
