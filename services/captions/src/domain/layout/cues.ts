/** Atoms with times → cues: which words share a cue, decided for a whole sentence at once, and how it breaks into lines. */
import type { Span } from '../words.ts';
import { dashed, lineColumns, textOf, type Atom } from './atoms.ts';
import type { BreakCost } from './break-cost.ts';

export type Cue = Span & {
  /** One or two lines that fit (`lineColumns`), none of them empty. */
  readonly lines: readonly string[];
};

export type TimedAtom = Atom & Span;

export const MIN_MS = 1_000;
export const MAX_MS = 7_000;
/** Columns a second that most viewers can read: 17 letters, or 8.5 characters of Chinese, Japanese or Korean. */
export const READABLE = 17;
/** A cue never contains a pause as long as this. */
const SILENCE_MS = 1_500;

/** The cheapest last cue of the atoms before some index. */
type Choice = { readonly from: number; readonly cost: number };

/** Cues with the times of their own words, in order; times are made readable by `setCueTimes`. */
export function cuesOf(atoms: readonly TimedAtom[], costOf: BreakCost): Cue[] {
  const ends = cueEnds(atoms, costOf);
  return ends.flatMap((to, index) => {
    const own = atoms.slice(ends[index - 1] ?? 0, to);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ startMs: first.startMs, endMs: last.endMs, lines: linesOf(own, costOf) }];
  });
}

/** The cheapest way to cut `atoms` into cues; tries every run that fits. */
function cueEnds(atoms: readonly TimedAtom[], costOf: BreakCost): number[] {
  const best: Choice[] = [{ from: 0, cost: 0 }];
  for (let to = 1; to <= atoms.length; to += 1) {
    let choice: Choice | undefined;
    for (let from = to - 1; from >= 0; from -= 1) {
      const [before, head, next] = [atoms[from - 1], atoms[from], atoms[from + 1]];
      if (head === undefined || (next !== undefined && from + 1 < to && isSilence(head, next))) break;
      const cost = cueCost(atoms.slice(from, to));
      if (cost === undefined) break;
      const breaking = before === undefined || isSilence(before, head) ? 0 : costOf(before, head);
      const sum = cost + breaking + (best[from]?.cost ?? 0);
      if (choice === undefined || sum < choice.cost) choice = { from, cost: sum };
    }
    best.push(choice ?? { from: to - 1, cost: (best[to - 1]?.cost ?? 0) + 1_000 });
  }
  const ends: number[] = [];
  for (let to = atoms.length; to > 0; to = best[to]?.from ?? 0) ends.unshift(to);
  return ends;
}

function isSilence(before: TimedAtom, after: TimedAtom): boolean {
  return after.startMs - before.endMs >= SILENCE_MS;
}

/** What a cue of these atoms costs; undefined where it cannot be one. */
function cueCost(atoms: readonly TimedAtom[]): number | undefined {
  const [first, last] = [atoms[0], atoms.at(-1)];
  if (first === undefined || last === undefined || !fitsCue(atoms)) return undefined;
  const durationMs = last.endMs - first.startMs;
  if (atoms.length > 1 && durationMs > MAX_MS) return undefined;
  const short = Math.max(0, MIN_MS - durationMs) / 20;
  const fast = Math.max(0, columnsOf(atoms) / READABLE - durationMs / 1_000) * 4;
  return 14 + short + fast;
}

function fitsCue(atoms: readonly Atom[]): boolean {
  const columns = columnsOf(atoms);
  const most = lineColumns(atoms);
  if (turnsWithin(atoms).length > 0) return byTurn(atoms) !== undefined;
  if (columns <= most) return true;
  return columns <= 2 * most + 1 && bestLineBreak(atoms, () => 0) !== undefined;
}

/** Columns of a run of atoms on one line. */
function columnsOf(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, { width, glued }, index) => sum + width + (index === 0 || glued ? 0 : 1), 0);
}

/** The one line or two of a cue; of atoms that fit. */
export function linesOf(atoms: readonly Atom[], costOf: BreakCost): string[] {
  const turns = byTurn(atoms);
  if (turns) return turns;
  if (columnsOf(atoms) <= lineColumns(atoms)) return [textOf(atoms)];
  const at = bestLineBreak(atoms, costOf) ?? atoms.length;
  return [textOf(atoms.slice(0, at)), textOf(atoms.slice(at))].filter((line) => line !== '');
}

function turnsWithin(atoms: readonly Atom[]): number[] {
  return atoms.flatMap(({ turn }, index) => (turn && index > 0 ? [index] : []));
}

/** A line for each of two speakers; undefined where another one does not begin within, or they need more. */
function byTurn(atoms: readonly Atom[]): string[] | undefined {
  const [at, ...more] = turnsWithin(atoms);
  if (at === undefined || more.length > 0) return undefined;
  const [before, after] = [atoms.slice(0, at), atoms.slice(at)];
  const room = Math.max(columnsOf(before) + 2, columnsOf(after));
  return room > lineColumns(atoms) ? undefined : [dashed(textOf(before)), textOf(after)];
}

/**
 * The best place to break: at a clause, with lines of similar length, the upper one preferably shorter.
 * Undefined where the text does not fit on two lines.
 */
function bestLineBreak(atoms: readonly Atom[], costOf: BreakCost): number | undefined {
  const total = columnsOf(atoms);
  const most = lineColumns(atoms);
  let best: { readonly at: number; readonly cost: number } | undefined;
  let upper = 0;
  for (let at = 1; at < atoms.length; at += 1) {
    const [before, after] = [atoms[at - 1], atoms[at]];
    if (before === undefined || after === undefined) break;
    upper += before.width + (at === 1 || before.glued ? 0 : 1);
    if (upper > most) break;
    const lower = total - upper - (after.glued ? 0 : 1);
    if (lower > most) continue;
    const cost = costOf(before, after) + Math.abs(upper - lower) / 3 + (upper > lower ? 1 : 0);
    if (best === undefined || cost < best.cost) best = { at, cost };
  }
  return best?.at;
}
