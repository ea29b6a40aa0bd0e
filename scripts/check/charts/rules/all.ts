/** The product's own rules for rendered resources. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rendered } from '../release.ts';
import { podsOf, type Resource } from '../resource.ts';
import { budgetFaults } from './budgets.ts';
import { hookFaults } from './hooks.ts';
import { labelFaults } from './labels.ts';
import { podSecurityFaults } from './pod-security.ts';
import { podFaults } from './pods.ts';
import { secrecyFaults } from './secrecy.ts';
import { templateFaults } from './templates.ts';
import { wiringFaults } from './wiring.ts';

/** Each violation once, with the first values file that has it. */
export function manifestFaults(renders: readonly Rendered[]): string[] {
  const found = renders.flatMap(({ release, resources }) =>
    resourceFaults(resources).map((fault) => ({ fault: `charts/${release.chart}: ${fault}`, values: release.values })),
  );
  const faults = Object.entries(Object.groupBy(found, ({ fault }) => fault));
  return faults.map(([fault, where = []]) => `${fault} (${where[0]?.values})`);
}

export function resourceFaults(resources: readonly Resource[]): string[] {
  return [
    ...podsOf(resources).flatMap((pod) => [...podSecurityFaults(pod), ...podFaults(pod)]),
    ...secrecyFaults(resources),
    ...wiringFaults(resources),
    ...budgetFaults(resources),
    ...labelFaults(resources),
    ...hookFaults(resources),
  ];
}

export function sourceFaults(root: string): string[] {
  return [
    ...globSync('charts/*/templates/**/*', { cwd: root })
      .filter((path) => /\.(yaml|tpl|txt)$/.test(path))
      .flatMap((path) => templateFaults(path, readFileSync(join(root, path), 'utf8'))),
    ...packageFaults(root),
  ];
}

/** Helm stores every file of a chart in the release, so files for the checks must be excluded. */
function packageFaults(root: string): string[] {
  return globSync('charts/*/Chart.yaml', { cwd: root }).flatMap((path) => {
    const ignored = path.replace('Chart.yaml', '.helmignore');
    const lines = existsSync(join(root, ignored)) ? readFileSync(join(root, ignored), 'utf8').split('\n') : [];
    return lines.some((line) => /^\/?ci\/?$/.test(line.trim())) ? [] : [`${ignored} does not exclude ci/`];
  });
}
