/** What can be captioned and translated: source × target, for the operator. */
import { primarySubtag } from './language-tag.ts';
import { targetsFor } from './plan-tracks.ts';
import type { Capabilities } from './caption-job.ts';

export type Route = {
  readonly source: string;
  readonly target: string;
  /** Empty: there is no route. */
  readonly path: readonly string[];
};

/** Every source that can be transcribed with each of its 18 targets; nothing while either engine is unavailable. */
export function coverageOf({ speechLanguages, routes }: Capabilities, targets: readonly string[]): Route[] {
  return speechLanguages === undefined || routes === undefined
    ? []
    : sourcesOf(speechLanguages, targets).flatMap((source) =>
        targetsFor(source, targets).map((target) => ({ source, target, path: routes(source, target) ?? [] })),
      );
}

/** Languages that may be spoken; an engine that transcribes any is shown with the operator's list. */
function sourcesOf(speechLanguages: readonly string[], targets: readonly string[]): string[] {
  return [...new Set(speechLanguages.includes('*') ? targets.map(primarySubtag) : speechLanguages)];
}

/** One readable line per source: `en: 16 of 18 (es pt>es …), no route to de ja`. */
export function coverageLines(routes: readonly Route[]): string[] {
  return [...new Set(routes.map(({ source }) => source))].map((source) => {
    const own = routes.filter((route) => route.source === source);
    const reached = own.filter(({ path }) => path.length > 0);
    const missing = own.filter(({ path }) => path.length === 0).map(({ target }) => target);
    const paths = reached.map(({ target, path }) => [target, ...path.slice(1, -1).toReversed()].join('<'));
    const rest = missing.length > 0 ? `; no route to ${missing.join(' ')}` : '';
    return `${source} → ${reached.length} of ${own.length}: ${paths.join(' ')}${rest}`;
  });
}
