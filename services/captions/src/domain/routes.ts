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

type Way = { readonly path: readonly string[]; readonly cost: number };

/**
 * Routes through `pairs` of at most three hops: the shortest, of these the cheapest,
 * whatever the order of the pairs.
 */
export function findRoutes(pairs: readonly Pair[]): FindRoute {
  const known = new Map<string, Map<string, Way>>();
  return (source, target) => {
    const ways = known.get(source) ?? waysFrom(source, pairs);
    known.set(source, ways);
    return source === target ? undefined : ways.get(target)?.path;
  };
}

/** Routes to all reachable languages, by the fewest hops; of these the cheapest, then the first alphabetically. */
function waysFrom(source: string, pairs: readonly Pair[]): Map<string, Way> {
  const found = new Map<string, Way>([[source, { path: [source], cost: 0 }]]);
  let edge = new Map(found);
  for (let hop = 0; hop < MOST_HOPS && edge.size > 0; hop += 1) {
    const next = new Map<string, Way>();
    for (const { from, to, weight } of pairs) {
      const before = edge.get(from);
      if (before === undefined || found.has(to)) continue;
      const way = { path: [...before.path, to], cost: before.cost + weight };
      if (better(way, next.get(to))) next.set(to, way);
    }
    for (const [language, way] of next) found.set(language, way);
    edge = next;
  }
  return found;
}

function better(one: Way, other: Way | undefined): boolean {
  return (
    other === undefined ||
    one.cost < other.cost ||
    (one.cost === other.cost && one.path.join('>') < other.path.join('>'))
  );
}
