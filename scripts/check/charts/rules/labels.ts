/** The labels that Kubernetes recommends, on every resource and every pod: dashboards, policies and people select by them. */
import { podsOf, titleOf, type Labels, type Resource } from '../resource.ts';

const onResources = ['instance', 'name', 'part-of', 'managed-by'];
const onPods = ['instance', 'name', 'part-of'];

export function labelFaults(resources: readonly Resource[]): string[] {
  return [
    ...resources.flatMap((one) =>
      lacking(one.metadata.labels ?? {}, onResources).map((label) => `${titleOf(one)} lacks the label ${label}`),
    ),
    ...podsOf(resources).flatMap(({ owner, labels }) =>
      lacking(labels, onPods).map((label) => `the pods of ${owner} lack the label ${label}`),
    ),
  ];
}

function lacking(labels: Labels, names: readonly string[]): string[] {
  return names.map((name) => `app.kubernetes.io/${name}`).filter((label) => !labels[label]);
}
