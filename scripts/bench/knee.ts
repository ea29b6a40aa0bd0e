/** Where a curve of cost and gain bends: beyond it, the same cost gains clearly less. */

export type Point = { readonly cost: number; readonly gain: number };

/**
 * The knee of a curve: the point that lies highest above the line from the cheapest to the dearest one (Satopää et al.,
 * "Finding a Kneedle in a Haystack", 2011). Units and zero points of cost and gain do not matter; how far the curve is
 * measured does, so that its ends must be settings that somebody would choose.
 * @returns undefined where no point lies above that line: no step is better than another
 */
export function kneeOf<P extends Point>(points: readonly P[]): P | undefined {
  const sorted = byCost(points);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last || last.cost <= first.cost || last.gain <= first.gain) return undefined;
  const heights = sorted.map(
    ({ cost, gain }) => (gain - first.gain) / (last.gain - first.gain) - (cost - first.cost) / (last.cost - first.cost),
  );
  const highest = Math.max(...heights);
  // Rounding alone lifts a point of a straight line this much.
  return highest > 1e-9 ? sorted[heights.indexOf(highest)] : undefined;
}

/** What each point costs for one more unit of gain than the next cheaper one; undefined for the first, and where nothing is gained. */
export function marginalCosts(points: readonly Point[]): (number | undefined)[] {
  const sorted = byCost(points);
  return points.map((point) => {
    const before = sorted[sorted.indexOf(point) - 1];
    return before && point.gain > before.gain ? (point.cost - before.cost) / (point.gain - before.gain) : undefined;
  });
}

/**
 * The cost at which a curve reaches a gain: between two points its logarithm is a straight line, as that of the bit rate
 * of an encoder nearly is.
 * @returns undefined where the curve was not measured: it is never continued
 */
export function costAt(points: readonly Point[], gain: number): number | undefined {
  const sorted = points.toSorted((one, other) => one.gain - other.gain);
  const above = sorted.find((point) => point.gain >= gain);
  const below = sorted.findLast((point) => point.gain <= gain);
  if (!above || !below) return undefined;
  if (above.gain === below.gain) return below.cost;
  const share = (gain - below.gain) / (above.gain - below.gain);
  return Math.exp(Math.log(below.cost) * (1 - share) + Math.log(above.cost) * share);
}

/**
 * The setting that follows from the knees of several curves: the present one while it lies between them, since none of
 * these curves is everybody's; else the middle one.
 */
export function settle(present: number, knees: readonly number[]): number {
  const sorted = knees.toSorted((one, other) => one - other);
  const [least = present, most = present] = [sorted[0], sorted.at(-1)];
  return least <= present && present <= most ? present : (sorted[sorted.length >> 1] ?? present);
}

/** The mean of ratios; undefined without any. */
export function geometricMean(ratios: readonly number[]): number | undefined {
  if (ratios.length === 0) return undefined;
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

function byCost<P extends Point>(points: readonly P[]): P[] {
  return points.toSorted((one, other) => one.cost - other.cost);
}
