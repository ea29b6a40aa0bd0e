/** The rules for references between resources find injected violations. */
import { expect } from 'chai';
import { parseResources } from '../resource.ts';
import { manifestFaults } from './all.ts';
import { faultsOf, faultsAfter, right } from './right-component.ts';

describe('the rules for references between resources', () => {
  it('the rules for references find replicas under an autoscaler, two autoscalers, and one without a target', () => {
    expect(faultsAfter('  selector: { matchLabels:', '  replicas: 2\n  selector: { matchLabels:')).to.include(
      'Deployment vds-lens sets replicas, and HorizontalPodAutoscaler vds-lens does too',
    );
    const second = `\n---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: vds-lens }\nspec: { scaleTargetRef: { name: vds-lens } }`;
    expect(faultsOf(right + second)).to.include('Deployment vds-lens has 2 scalers');
    expect(faultsAfter('kind: Deployment, name: vds-lens', 'kind: Deployment, name: vds-lense')).to.include(
      'which is not there',
    );
  });
  it('the rules for references find a Service that leads to no pod, or to a port that no container has', () => {
    expect(
      faultsAfter('selector: { app.kubernetes.io/name: lens }', 'selector: { app.kubernetes.io/name: lense }'),
    ).to.include('leads to 0 kinds of pods');
    expect(faultsAfter('targetPort: rpc', 'targetPort: grpc')).to.include('leads to port grpc of Deployment vds-lens');
  });
  it('the rules for references find a ServiceAccount or ConfigMap that is not rendered, and a duplicate name', () => {
    expect(faultsAfter('serviceAccountName: vds-lens', 'serviceAccountName: vds-lense')).to.include(
      'needs ServiceAccount vds-lense',
    );
    expect(faultsAfter('configMapRef: { name: vds-lens }', 'configMapRef: { name: vds }')).to.include(
      'needs ConfigMap vds,',
    );
    expect(faultsOf(`${right}\n---\n${right.split('---')[1]}`)).to.include('ConfigMap vds-lens is rendered 2 times');
  });
  it('the rules for references report a violation once when several values files show it', () => {
    const resources = parseResources(right.replace('path: /livez', 'path: /readyz'));
    const renders = ['a', 'b'].map((name) => ({
      release: { chart: 'vds', values: `${name}.yaml`, name },
      text: '',
      file: '',
      resources,
    }));
    expect(manifestFaults(renders)).to.deep.equal([
      'charts/vds: Deployment vds-lens: container lens dies when a dependency does (a.yaml)',
    ]);
  });
});
