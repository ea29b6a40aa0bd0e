/** nDCG@10 with exponential gain (Burges et al. 2005, https://doi.org/10.1145/1102351.1102363). */

const DEPTH = 10;

/** @param found ids in result order; @param grades of every judged video by id, the others count 0 */
export function ndcgAt10(found: readonly string[], grades: ReadonlyMap<string, number>): number {
  const ideal = dcg([...grades.values()].toSorted((a, b) => b - a));
  return ideal === 0 ? 1 : dcg(found.map((id) => grades.get(id) ?? 0)) / ideal;
}

function dcg(grades: readonly number[]): number {
  return grades.slice(0, DEPTH).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Nearest-rank percentile. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;
}
