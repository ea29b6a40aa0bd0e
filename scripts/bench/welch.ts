/** Whether two sets of times differ in their means: Welch's t, as leakage tests of cryptographic code use it (dudect). */

/** Beyond it, a difference is significant: the usual threshold of such tests (about 1 in 10^5 for equal means). */
export const T_BOUND = 4.5;
/**
 * Shares of the shortest times that are compared. Times have a long tail of pauses (collector, scheduler, disk) that
 * belongs to neither set and hides small differences; a bound taken from both sets together truncates both alike.
 */
export const SHARES = [1, 0.9, 0.5];

export type Sample = { readonly n: number; readonly mean: number; readonly variance: number };
export type Comparison = { readonly share: number; readonly a: Sample; readonly b: Sample; readonly t: number };

/** Compares the shortest `share` of two interleaved sets. */
export function compare(a: readonly number[], b: readonly number[], share: number): Comparison {
  const bound = quantile([...a, ...b], share);
  const [left, right] = [a, b].map((values) => sampleOf(values.filter((value) => value <= bound)));
  if (!left || !right) throw new Error('two sets give two samples');
  return { share, a: left, b: right, t: welchT(left, right) };
}

/** The value at or below which a share of all values lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function sampleOf(values: readonly number[]): Sample {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { n, mean, variance };
}

/** B. L. Welch, "The generalization of Student's problem when several different population variances are involved", 1947. */
export function welchT(a: Sample, b: Sample): number {
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.n + b.variance / b.n);
}
