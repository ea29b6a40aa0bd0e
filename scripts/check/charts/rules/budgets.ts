/** A PodDisruptionBudget wherever more than one pod may run: without it the drain of a node may take all of them at once. */
import { podsOf, selects, titleOf, type Resource, type Selector } from '../resource.ts';

type Scaler = {
  readonly scaleTargetRef: { readonly name: string };
  readonly maxReplicas?: number;
  readonly maxReplicaCount?: number;
};

export function budgetFaults(resources: readonly Resource[]): string[] {
  const budgets = resources.filter(({ kind }) => kind === 'PodDisruptionBudget');
  return podsOf(resources).flatMap(({ owner, labels }) => {
    const workload = resources.find((one) => titleOf(one) === owner);
    if (!workload || !['Deployment', 'StatefulSet'].includes(workload.kind)) return [];
    const most = mostPods(workload, resources);
    const budget = budgets.find(({ spec }) => selects((spec?.['selector'] ?? {}) as Selector, labels));
    if (most > 1 && !budget) return [`${owner} may have ${most} pods and has no PodDisruptionBudget`];
    return most <= 1 && budget ? [`${titleOf(budget)} is for ${owner}, which never has a second pod`] : [];
  });
}

/** The maximum of its autoscaler, or its fixed number. */
function mostPods({ metadata, spec }: Resource, resources: readonly Resource[]): number {
  const scaler = resources
    .filter(({ kind }) => kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject')
    .map((one) => one.spec as Scaler)
    .find(({ scaleTargetRef }) => scaleTargetRef.name === metadata.name);
  return scaler?.maxReplicas ?? scaler?.maxReplicaCount ?? Number(spec?.['replicas'] ?? 1);
}
