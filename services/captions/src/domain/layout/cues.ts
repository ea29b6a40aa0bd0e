/** Atoms with times → cues: which words share a cue, decided for a whole sentence at once. */
import type { Span } from '../words.ts';
import type { Atom } from './atoms.ts';
import { columnsOf, fitsCue, linesOf, type BreakCost } from './lines.ts';

export type Cue = Span & {
  /** One or two lines of at most 42 columns, none of them empty. */
  readonly lines: readonly string[];
};

export type TimedAtom = Atom & Span;

export const SHORTEST_MS = 1_000;
export const LONGEST_MS = 7_000;
/** Columns a second that most viewers can read. */
export const READABLE = 20;
/** A cue never contains a pause as long as this. */
export const SILENCE_MS = 1_500;

type Choice = { readonly from: number; readonly cost: number };

/** Cues with the times of their own words, in order; times are made readable by `settleTimes`. */
export function cuesOf(atoms: readonly TimedAtom[], costOf: BreakCost): Cue[] {
  const ends = cuts(atoms, costOf);
  return ends.flatMap((to, index) => {
    const own = atoms.slice(ends[index - 1] ?? 0, to);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ startMs: first.startMs, endMs: last.endMs, lines: linesOf(own, costOf) }];
  });
}

/** The cheapest way to cut `atoms` into cues; tries every run that fits. */
function cuts(atoms: readonly TimedAtom[], costOf: BreakCost): number[] {
  const best: Choice[] = [{ from: 0, cost: 0 }];
  for (let to = 1; to <= atoms.length; to += 1) {
    let choice: Choice | undefined;
    for (let from = to - 1; from >= 0; from -= 1) {
      const [before, head, next] = [atoms[from - 1], atoms[from], atoms[from + 1]];
      if (head === undefined || (next !== undefined && from + 1 < to && silent(head, next))) break;
      const cost = cueCost(atoms.slice(from, to));
      if (cost === undefined) break;
      const breaking = before === undefined || silent(before, head) ? 0 : costOf(before, head);
      const sum = cost + breaking + (best[from]?.cost ?? 0);
      if (choice === undefined || sum < choice.cost) choice = { from, cost: sum };
    }
    best.push(choice ?? { from: to - 1, cost: (best[to - 1]?.cost ?? 0) + 1_000 });
  }
  const ends: number[] = [];
  for (let to = atoms.length; to > 0; to = best[to]?.from ?? 0) ends.unshift(to);
  return ends;
}

function silent(before: TimedAtom, after: TimedAtom): boolean {
  return after.startMs - before.endMs >= SILENCE_MS;
}

/** What a cue of these atoms costs; undefined where it cannot be one. */
function cueCost(atoms: readonly TimedAtom[]): number | undefined {
  const [first, last] = [atoms[0], atoms.at(-1)];
  if (first === undefined || last === undefined || !fitsCue(atoms)) return undefined;
  const lasts = last.endMs - first.startMs;
  if (atoms.length > 1 && lasts > LONGEST_MS) return undefined;
  const short = Math.max(0, SHORTEST_MS - lasts) / 20;
  const fast = Math.max(0, columnsOf(atoms) / READABLE - lasts / 1_000) * 4;
  return 14 + short + fast;
}
