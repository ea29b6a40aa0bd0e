/** Statistics of small series of numbers. */

/** The arithmetic mean; 0 of no values. */
export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index] ?? 0;
  return sum / Math.max(1, values.length);
}

/**
 * Pearson's correlation: 1 for the same shape, 0 for nothing in common.
 * @param leastVariation sum of squared deviations below which a series has no shape to compare: the result is 0
 */
export function correlation(a: Float64Array, b: Float64Array, leastVariation = Number.MIN_VALUE): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let [both, onlyA, onlyB] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [(a[index] ?? 0) - meanA, (b[index] ?? 0) - meanB];
    both += x * y;
    onlyA += x * x;
    onlyB += y * y;
  }
  return onlyA < leastVariation || onlyB < leastVariation ? 0 : both / Math.sqrt(onlyA * onlyB);
}
