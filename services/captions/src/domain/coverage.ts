/** What can be captioned and translated: source × target, for the operator. */
import { primarySubtag } from './language-tag.ts';
import { targetsFor } from './plan-tracks.ts';
import type { Capabilities } from './caption-job.ts';

export type Route = {
  readonly source: string;
  readonly target: string;
  /** Empty: there is no route. */
  readonly path: readonly string[];
  /** Whether the first step is from the spoken language to English, by the speech engine. */
  readonly fromSpeech: boolean;
};

/** Every source that can be transcribed with each of its 18 targets; nothing while either engine is unavailable. */
export function coverageOf({ speechLanguages, routes }: Capabilities, targets: readonly string[]): Route[] {
  return speechLanguages === undefined || routes === undefined
    ? []
    : sourcesOf(speechLanguages, targets).flatMap((source) =>
        targetsFor(source, targets).map((target) => {
          const route = routes(source, target);
          return { source, target, path: route?.path ?? [], fromSpeech: route?.from === 'speech' };
        }),
      );
}

/** Languages that may be spoken; an engine that transcribes any is shown with the operator's list. */
function sourcesOf(speechLanguages: readonly string[], targets: readonly string[]): string[] {
  return [...new Set(speechLanguages.includes('*') ? targets.map(primarySubtag) : speechLanguages)];
}

/**
 * Readable lines: `en → 16 of 18: es pt<es …; no route to de ja`. Languages that are spoken, but are no targets, share one;
 * `*` marks routes that begin with English made of the sound, as the last line says.
 */
export function coverageLines(routes: readonly Route[]): string[] {
  const sources = new Map<string, string[]>();
  for (const [source, own] of Map.groupBy(routes, (route) => route.source)) {
    const targets = describeRoutes(own);
    sources.set(targets, [...(sources.get(targets) ?? []), source]);
  }
  const lines = [...sources].map(([targets, codes]) => `${codes.join(' ')} → ${targets}`);
  return routes.some(({ fromSpeech }) => fromSpeech)
    ? [...lines, '* through English that the speech engine makes of the sound']
    : lines;
}

function describeRoutes(routes: readonly Route[]): string {
  const reached = routes.filter(({ path }) => path.length > 0);
  const missing = routes.filter(({ path }) => path.length === 0).map(({ target }) => target);
  const paths = reached.map(({ target, path, fromSpeech }) => {
    const back = [target, ...path.slice(1, -1).toReversed()].join('<');
    return fromSpeech ? `${back}*` : back;
  });
  const rest = missing.length > 0 ? `; no route to ${missing.join(' ')}` : '';
  return `${reached.length} of ${routes.length}: ${paths.join(' ')}${rest}`;
}
