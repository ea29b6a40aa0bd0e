/** Routes from the spoken language to a target through the language pairs of a translation engine. */

export type Pair = {
  /** BCP 47. */
  readonly from: string;
  readonly to: string;
  /** Cost of the step, above 0: of two routes with equally many steps the cheaper is taken. */
  readonly weight: number;
};

/** The route from one language to another, both included; undefined where there is none. */
export type FindRoute = (source: string, target: string) => readonly string[] | undefined;

/** Each hop loses meaning; little is left after three. */
const MOST_HOPS = 3;

type WeightedPath = { readonly path: readonly string[]; readonly cost: number };

/**
 * Routes through `pairs` of at most three hops: the shortest, of these the cheapest,
 * whatever the order of the pairs.
 */
export function findRoutes(pairs: readonly Pair[]): FindRoute {
  const bySource = new Map<string, Map<string, WeightedPath>>();
  return (source, target) => {
    const paths = bySource.get(source) ?? pathsFrom(source, pairs);
    bySource.set(source, paths);
    return source === target ? undefined : paths.get(target)?.path;
  };
}

/** Routes to all reachable languages, by the fewest hops; of these the cheapest, then the first alphabetically. */
function pathsFrom(source: string, pairs: readonly Pair[]): Map<string, WeightedPath> {
  const found = new Map<string, WeightedPath>([[source, { path: [source], cost: 0 }]]);
  let frontier = new Map(found);
  for (let hop = 0; hop < MOST_HOPS && frontier.size > 0; hop += 1) {
    const next = new Map<string, WeightedPath>();
    for (const { from, to, weight } of pairs) {
      const before = frontier.get(from);
      if (before === undefined || found.has(to)) continue;
      const longer = { path: [...before.path, to], cost: before.cost + weight };
      if (isBetter(longer, next.get(to))) next.set(to, longer);
    }
    for (const [language, path] of next) found.set(language, path);
    frontier = next;
  }
  return found;
}

function isBetter(one: WeightedPath, other: WeightedPath | undefined): boolean {
  return (
    other === undefined ||
    one.cost < other.cost ||
    (one.cost === other.cost && one.path.join('>') < other.path.join('>'))
  );
}
