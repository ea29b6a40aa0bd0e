/** Breaks the text of a cue into one or two lines. */
import { LINE_COLUMNS, textOf, type Atom } from './atoms.ts';

export type BreakCost = (before: Atom, after: Atom) => number;

type Split = { readonly at: number; readonly cost: number };

/** Whether the atoms fit into one cue. */
export function fitsCue(atoms: readonly Atom[]): boolean {
  const columns = columnsOf(atoms);
  if (columns <= LINE_COLUMNS) return true;
  return columns <= 2 * LINE_COLUMNS + 1 && bestSplit(atoms, () => 0) !== undefined;
}

/** Columns of a run of atoms on one line. */
export function columnsOf(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, { width, glued }, index) => sum + width + (index === 0 || glued ? 0 : 1), 0);
}

/**
 * The best place to break: at a clause, with lines of similar length, the upper one preferably shorter.
 * Undefined where the text does not fit on two lines.
 */
function bestSplit(atoms: readonly Atom[], costOf: BreakCost): Split | undefined {
  const total = columnsOf(atoms);
  let best: Split | undefined;
  let upper = 0;
  for (let at = 1; at < atoms.length; at += 1) {
    const [before, after] = [atoms[at - 1], atoms[at]];
    if (before === undefined || after === undefined) break;
    upper += before.width + (at === 1 || before.glued ? 0 : 1);
    if (upper > LINE_COLUMNS) break;
    const lower = total - upper - (after.glued ? 0 : 1);
    if (lower > LINE_COLUMNS) continue;
    const cost = costOf(before, after) + Math.abs(upper - lower) / 3 + (upper > lower ? 1 : 0);
    if (best === undefined || cost < best.cost) best = { at, cost };
  }
  return best;
}

/** The one line or two of a cue; of atoms that fit. */
export function linesOf(atoms: readonly Atom[], costOf: BreakCost): string[] {
  if (columnsOf(atoms) <= LINE_COLUMNS) return [textOf(atoms)];
  const at = bestSplit(atoms, costOf)?.at ?? atoms.length;
  return [textOf(atoms.slice(0, at)), textOf(atoms.slice(at))].filter((line) => line !== '');
}
