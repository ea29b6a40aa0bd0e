/** Replays: shots that repeat earlier pictures, slow motion, and what is written on screen. */
import type { AnalyzedShot, AnalyzedText } from '../analysis.ts';
import { slowShots } from '../picture/slow-motion.ts';
import { lengthOf, type Span } from '../span.ts';
import type { Evidence } from './evidence.ts';

const SECOND_MS = 1_000;
const MIN_SECONDS = 3;
const MAX_SECONDS = 40;
/** How far back a repeated picture is looked for. */
const LOOKBACK_SECONDS = 90;
/** Without its pictures a replay is of the last seconds before it. */
const BEFORE_MS = 25_000;

/** Mean difference of two prints of one picture, in steps of brightness. */
const MAX_DIFFERENCE = 5;
/** All other pictures differ by so much more: a camera that stands still repeats nothing. */
const MIN_RATIO = 1.6;
const NEAR_SECONDS = 3;

const replayText =
  /\b(?:replay|slow[ -]?mo(?:tion)?|repetición|cámara lenta|ralenti|zeitlupe|wiederholung|rallenty)\b/iu;

/** @param prints one a second (src/domain/picture/prints.ts) */
export function replayEvidence(
  shots: readonly AnalyzedShot[],
  texts: readonly AnalyzedText[],
  prints: readonly string[],
): Evidence[] {
  const pictures = prints.map((print) => Buffer.from(print, 'base64'));
  const slow = new Set(slowShots(shots));
  const shown = shots.flatMap((shot): Evidence[] => {
    const source = repeatedSpan(shot, pictures);
    if (source) return [evidenceOf({ ...source, strength: slow.has(shot) ? 1 : 0.85 }, shot.endMs)];
    return slow.has(shot) ? [evidenceOf({ ...spanBefore(shot.startMs), strength: 0.6 }, shot.endMs)] : [];
  });
  const written = texts
    .filter(({ text }) => replayText.test(text))
    .map((text) => evidenceOf({ ...spanBefore(text.startMs), strength: 0.6 * text.confidence }, text.endMs));
  return [...shown, ...written].filter((evidence) => lengthOf(evidence) > 0);
}

function evidenceOf(found: Span & { readonly strength: number }, reactionEndMs: number): Evidence {
  return { reason: 'replay', ...found, reactionEndMs };
}

function spanBefore(atMs: number): Span {
  return { startMs: Math.max(0, atMs - BEFORE_MS), endMs: Math.max(0, atMs - 2 * SECOND_MS) };
}

/** The earlier time whose pictures a shot shows again, in their order; undefined where it is new. */
function repeatedSpan(shot: Span, pictures: readonly Uint8Array[]): Span | undefined {
  const [from, to] = [Math.ceil(shot.startMs / SECOND_MS), Math.floor(shot.endMs / SECOND_MS)];
  if (to - from < MIN_SECONDS || to - from > MAX_SECONDS) return undefined;
  const sources: number[] = [];
  for (let at = from; at < to; at++) {
    const source = sourceOf(pictures, at, Math.max(0, from - LOOKBACK_SECONDS), from - 1);
    if (source !== undefined) sources.push(source);
  }
  const middle = sources.toSorted((a, b) => a - b)[Math.floor(sources.length / 2)] ?? 0;
  const together = sources.filter((source) => Math.abs(source - middle) <= to - from);
  const ordered = together.filter((source, index) => index === 0 || source >= (together[index - 1] ?? 0)).length;
  const [first, last] = [Math.min(...together), Math.max(...together)];
  if (together.length < MIN_SECONDS || together.length < (to - from) / 3) return undefined;
  if (ordered < 0.7 * together.length || last - first < 1) return undefined;
  return { startMs: first * SECOND_MS, endMs: (last + 1) * SECOND_MS };
}

/** The second in `[from, to)` whose picture is the same, and unlike those of all others but its neighbours. */
function sourceOf(pictures: readonly Uint8Array[], at: number, from: number, to: number): number | undefined {
  const picture = pictures[at];
  if (!picture || picture.length === 0) return undefined;
  const differences = Array.from({ length: Math.max(0, to - from) }, (_second, index) =>
    differenceOf(picture, pictures[from + index]),
  );
  const least = Math.min(...differences);
  if (!(least <= MAX_DIFFERENCE)) return undefined;
  const best = differences.indexOf(least);
  const others = differences.filter((_difference, index) => Math.abs(index - best) > NEAR_SECONDS);
  return Math.min(...others) >= 1 + MIN_RATIO * least ? from + best : undefined;
}

function differenceOf(a: Uint8Array, b: Uint8Array | undefined): number {
  if (!b || b.length !== a.length) return Infinity;
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return sum / a.length;
}
