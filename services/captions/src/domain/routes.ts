/**
 * Routes from the spoken language to a target: through the language pairs of a translation engine, or first to English,
 * which some speech engines make of what is spoken in any language.
 */
import { sameLanguage } from './language-tag.ts';

export type Pair = {
  /** BCP 47. */
  readonly from: string;
  readonly to: string;
  /** Cost of the step, above 0: of two routes with equally many steps the cheaper is taken. */
  readonly weight: number;
};

/** The languages from one to another, both included; undefined where no pairs lead there. */
export type FindPath = (source: string, target: string) => readonly string[] | undefined;

export type Route = {
  /** What is translated: the transcript, or the English that the speech engine makes of the sound as the first step. */
  readonly from: 'text' | 'speech';
  /** Languages, the spoken one first. */
  readonly path: readonly string[];
};

/** The route from the spoken language to a target; undefined where there is none. */
export type FindRoute = (source: string, target: string) => Route | undefined;

/** The language that speech engines translate into. */
export const ENGLISH = 'en';

/** Each hop loses meaning; little is left after three. */
const MAX_HOPS = 3;

type WeightedPath = { readonly path: readonly string[]; readonly cost: number };

/**
 * Routes through `paths` and, where none leads to the target, through English made of the sound. That step is none of the
 * translation engine's, so it does not count as a hop.
 * @param speechToEnglish whether the speech engine translates into English; whatever region a target is in, it serves it
 */
export function routesThrough(paths: FindPath, speechToEnglish: boolean): FindRoute {
  return (source, target) => {
    const path = paths(source, target);
    if (path) return { from: 'text', path };
    if (!speechToEnglish || sameLanguage(source, ENGLISH) || sameLanguage(source, target)) return undefined;
    const onward = sameLanguage(target, ENGLISH) ? [target] : paths(ENGLISH, target);
    return onward && { from: 'speech', path: [source, ...onward] };
  };
}

/**
 * Paths through `pairs` of at most three hops: the shortest, of these the cheapest,
 * whatever the order of the pairs.
 */
export function findRoutes(pairs: readonly Pair[]): FindPath {
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
  for (let hop = 0; hop < MAX_HOPS && frontier.size > 0; hop += 1) {
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
