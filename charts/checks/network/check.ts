/**
 * The network policies of every release: the product's against its tables, those of the test servers against their
 * promises.
 */
import { namespace, releaseNames, type Rendered } from '../release.ts';
import { devdepsNeeds, devdepsNetwork, type DevdepsSettings } from './devdeps.ts';
import { componentFaults } from './components.ts';
import { unselectedPods, undeniedPods, networkOf, pathFaults } from './paths.ts';
import { policiesOf } from './policy.ts';
import { needsOf, tables } from './reference.ts';
import { settingsOf, type Settings } from './settings.ts';

export type NetworkResult = { readonly count: number; readonly faults: readonly string[] };

/** How many releases have policies, and all violations. */
export function checkNetwork(root: string, renders: readonly Rendered[]): NetworkResult {
  const ruled = renders.filter(hasPolicies);
  const charts = new Set(renders.map(({ release }) => release.chart));
  const without = [...charts].filter((chart) => ruled.every(({ release }) => release.chart !== chart));
  const faults = renders.flatMap((one) => releaseFaults(root, one).map((fault) => `${one.release.values}: ${fault}`));
  return {
    count: ruled.length,
    faults: [...faults, ...without.map((chart) => `no values file renders a NetworkPolicy of charts/${chart}`)],
  };
}

function hasPolicies({ resources }: Rendered): boolean {
  return resources.some(({ kind }) => kind === 'NetworkPolicy');
}

function releaseFaults(root: string, rendered: Rendered): string[] {
  const settings = settingsOf(root, rendered.release) as Settings & DevdepsSettings;
  const { enabled } = settings.networkPolicy;
  const own = rendered.release.chart === 'vds' ? productFaults(rendered, settings) : devdepsFaults(rendered, settings);
  return [
    ...(enabled === hasPolicies(rendered)
      ? []
      : [`networkPolicy.enabled is ${enabled}, but the policies do not match`]),
    ...(enabled ? unselectedPods(rendered, policiesOf(rendered.resources, namespace)) : []),
    ...own,
  ];
}

function productFaults(rendered: Rendered, settings: Settings): string[] {
  const release = releaseNames[rendered.release.chart] ?? '';
  const paths = pathFaults(networkOf(rendered, settings), needsOf({ settings, release, tables }, namespace));
  const undenied = undeniedPods(rendered, policiesOf(rendered.resources, namespace));
  return [...componentFaults(settings), ...(hasPolicies(rendered) ? [...undenied, ...paths] : [])];
}

function devdepsFaults(rendered: Rendered, settings: DevdepsSettings): string[] {
  const network = devdepsNetwork(rendered, settings);
  return hasPolicies(rendered) ? pathFaults(network, devdepsNeeds(settings, network.release)) : [];
}
