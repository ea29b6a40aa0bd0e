/** Scores that rise on screen: the same words in the same place, with one number that is higher from then on. */
import type { AnalyzedText } from '../analysis.ts';
import { isSameText, samePlace } from '../text/merge.ts';
import type { Evidence } from './evidence.ts';

/** How long before the score is changed the event may lie. */
const BEFORE_MS = 25_000;
/** Text is read now and then: a change may be placed too early. */
const AFTER_MS = 5_000;
/** Fourth down, thirty to forty, a touchdown with its extra point: more at once is a misread digit. */
const MAX_RISE = 15;
const MAX_NUMBERS = 4;
/** What changes more often than this tells little by itself, as in basketball. */
const RARE_PER_MINUTE = 0.5;
const MIN_STRENGTH = 0.25;
/** One number alone may count anything: corners, laps, minutes. */
const ALONE = 0.6;
const MINUTE_MS = 60_000;

type Score = { readonly text: AnalyzedText; readonly letters: string; readonly numbers: readonly number[] };

export function scoreEvidence(texts: readonly AnalyzedText[], durationMs: number): Evidence[] {
  const rises = boardsOf(texts).flatMap((board) =>
    board.filter((score, index) => rose(board[index - 1], score) && !fell(score, board[index + 1])),
  );
  const perMinute = (rises.length * MINUTE_MS) / Math.max(MINUTE_MS, durationMs);
  const strength = Math.max(MIN_STRENGTH, Math.min(1, RARE_PER_MINUTE / Math.max(RARE_PER_MINUTE, perMinute)));
  return rises.map(({ numbers, text: { startMs, confidence } }) => ({
    reason: 'score',
    startMs: Math.max(0, startMs - BEFORE_MS),
    endMs: startMs + AFTER_MS,
    strength: strength * confidence * (numbers.length === 1 ? ALONE : 1),
    reactionEndMs: startMs,
  }));
}

/** The readings of each scoreboard in chronological order. */
function boardsOf(texts: readonly AnalyzedText[]): Score[][] {
  const boards: Score[][] = [];
  for (const text of texts.toSorted((a, b) => a.startMs - b.startMs)) {
    const score = scoreOf(text);
    if (!score) continue;
    const board = boards.find(([first]) => first !== undefined && isSameBoard(first, score));
    if (board) board.push(score);
    else boards.push([score]);
  }
  // Where several numbers stand, one alone is a part of them.
  return boards.filter(
    ([first]) => first && (first.numbers.length > 1 || !boards.some(([other]) => other && isWiderBoard(other, first))),
  );
}

function isWiderBoard(a: Score, b: Score): boolean {
  return a.numbers.length > b.numbers.length && samePlace(a.text.box, b.text.box);
}

function isSameBoard(a: Score, b: Score): boolean {
  return a.numbers.length === b.numbers.length && samePlace(a.text.box, b.text.box) && isSameText(a.letters, b.letters);
}

function scoreOf(text: AnalyzedText): Score | undefined {
  const numbers = text.text.match(/\p{N}+/gu)?.map(Number) ?? [];
  if (numbers.length < 1 || numbers.length > MAX_NUMBERS || !numbers.every((number) => number < 1_000))
    return undefined;
  return { text, letters: text.text.replaceAll(/\p{N}/gu, ''), numbers };
}

function rose(before: Score | undefined, score: Score): boolean {
  if (!before) return false;
  const steps = score.numbers.map((number, index) => number - (before.numbers[index] ?? 0));
  const changed = steps.filter((step) => step !== 0);
  return changed.length === 1 && changed.every((step) => step > 0 && step <= MAX_RISE);
}

/** A number that is lower again was misread, or the goal was disallowed. */
function fell(score: Score, next: Score | undefined): boolean {
  return next !== undefined && next.numbers.some((number, index) => number < (score.numbers[index] ?? 0));
}
