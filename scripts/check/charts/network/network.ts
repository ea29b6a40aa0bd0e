/** Whether the policies of every release open exactly the paths that the product needs, without a cluster. */
import { releaseNames, type Rendered } from '../release.ts';
import type { Resource } from '../resource.ts';
import { neededPaths, shortLivedPods, valuesOf, type Values } from './needs.ts';
import { openPaths } from './policies.ts';

/** The faults of every release of the product, and how many paths were compared. */
export function checkNetwork(root: string, renders: readonly Rendered[]): { paths: number; faults: string[] } {
  const compared = renders
    .filter(({ release }) => release.chart === 'vds')
    .map(({ release, resources }) => networkFaults(valuesOf(root, release), resources, `${release.values}: `));
  return {
    paths: compared.reduce((sum, { paths }) => sum + paths, 0),
    faults: compared.flatMap(({ faults }) => faults),
  };
}

/** Paths that are open and not needed, and the other way round. */
export function networkFaults(values: Values, resources: readonly Resource[], at = '') {
  if (!values.networkPolicy.enabled) return { paths: 0, faults: [] };
  const open = openPaths(resources, shortLivedPods(releaseNames['vds'] ?? '', values));
  const needed = neededPaths(values);
  const more = [...open].filter((path) => !needed.has(path)).map((path) => `${at}open, and nothing needs it: ${path}`);
  const less = [...needed].filter((path) => !open.has(path)).map((path) => `${at}needed, and closed: ${path}`);
  return { paths: needed.size, faults: [...more, ...less] };
}
