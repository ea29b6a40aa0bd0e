/** The rule for PodDisruptionBudgets finds a missing one and a superfluous one. */
import { expect } from 'chai';
import { faultsAfter, faultsOf, labels, right } from './right-component.ts';

const budget = /---\napiVersion: policy\/v1[\s\S]*?(?=---)/;
const scaledByKeda = right.replace(
  /---\napiVersion: autoscaling\/v2[\s\S]*?(?=---)/,
  `---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: vds-lens, labels: ${labels} }\nspec: { scaleTargetRef: { name: vds-lens }, minReplicaCount: 1, maxReplicaCount: 20 }\n`,
);

describe('the rule for PodDisruptionBudgets', () => {
  it('the rule for PodDisruptionBudgets finds a workload that an autoscaler may scale to several pods without one', () => {
    expect(faultsOf(right.replace(budget, ''))).to.equal(
      'Deployment vds-lens may have 3 pods and has no PodDisruptionBudget',
    );
    expect(faultsOf(scaledByKeda)).to.equal('');
    expect(faultsOf(scaledByKeda.replace(budget, ''))).to.equal(
      'Deployment vds-lens may have 20 pods and has no PodDisruptionBudget',
    );
  });
  it('the rule for PodDisruptionBudgets finds a budget of a workload that never has a second pod', () => {
    expect(faultsAfter('maxReplicas: 3', 'maxReplicas: 1')).to.equal(
      'PodDisruptionBudget vds-lens is for Deployment vds-lens, which never has a second pod',
    );
  });
});
