/** The network of every release of the product: its policies against its tables. */
import type { Rendered } from '../release.ts';
import { factFaults } from './facts.ts';
import { freePods, networkOf, pathFaults } from './paths.ts';
import { settingsOf } from './settings.ts';

const releaseFaults = (root: string, rendered: Rendered): string[] => {
  const settings = settingsOf(root, rendered.release);
  const network = networkOf(rendered, settings);
  const { list } = network.policies;
  if (!settings.networkPolicy.enabled) {
    return list.length > 0 ? ['networkPolicy.enabled is false, and policies are rendered'] : factFaults(settings);
  }
  return [...factFaults(settings), ...freePods(rendered, network.policies), ...pathFaults(network)];
};

export type NetworkResult = { readonly count: number; readonly faults: readonly string[] };

/** How many releases have policies, and what is wrong with any. */
export const checkNetwork = (root: string, renders: readonly Rendered[]): NetworkResult => {
  const product = renders.filter(({ release }) => release.chart === 'vds');
  const ruled = product.filter(({ resources }) => resources.some(({ kind }) => kind === 'NetworkPolicy'));
  const faults = product.flatMap((one) => releaseFaults(root, one).map((fault) => `${one.release.values}: ${fault}`));
  return {
    count: ruled.length,
    faults: ruled.length > 0 ? faults : [...faults, 'no values file renders any NetworkPolicy'],
  };
};
