/** The rules for references between resources find injected violations. */
import { expect } from 'chai';
import { parseResources } from '../resource.ts';
import { manifestFaults } from './all.ts';
import { faultsOf, labels, faultsAfter, right } from './right-component.ts';

describe('the rules for references between resources', () => {
  it('the rules for references find replicas under an autoscaler, two autoscalers, and one without a target', () => {
    expect(faultsAfter('  selector: { matchLabels:', '  replicas: 2\n  selector: { matchLabels:')).to.include(
      'Deployment vds-lens sets replicas, and HorizontalPodAutoscaler vds-lens does too',
    );
    const second = `\n---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: vds-lens, labels: ${labels} }\nspec: { scaleTargetRef: { name: vds-lens } }`;
    expect(faultsOf(right + second)).to.include('Deployment vds-lens has 2 scalers');
    expect(faultsAfter('kind: Deployment, name: vds-lens', 'kind: Deployment, name: vds-lense')).to.include(
      'which is not there',
    );
  });
  it('the rules for references find selectors that match nothing', () => {
    expect(
      faultsAfter(
        'selector: { matchLabels: { app.kubernetes.io/name: lens } }\n  template',
        'selector: { matchLabels: { app.kubernetes.io/name: lense } }\n  template',
      ),
    ).to.include('Deployment vds-lens does not select its own pods');
    expect(
      faultsAfter(
        'selector: { matchLabels: { app.kubernetes.io/name: lens } } }',
        'selector: { matchLabels: { app.kubernetes.io/name: lense } } }',
      ),
    ).to.include('PodDisruptionBudget vds-lens covers 0 workloads');
    expect(
      faultsAfter('selector: { app.kubernetes.io/name: lens }', 'selector: { app.kubernetes.io/name: lense }'),
    ).to.include('leads to 0 kinds of pods');
  });
  it('the rules for references find a Service whose port no container has', () => {
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
  it('the rules for references find a resource and pods without the recommended labels', () => {
    expect(faultsAfter(', app.kubernetes.io/managed-by: Helm', '')).to.equal(
      'ServiceAccount vds-lens lacks the label app.kubernetes.io/managed-by',
    );
    expect(
      faultsAfter(`metadata: { labels: ${labels}, ann`, 'metadata: { labels: { app.kubernetes.io/name: lens }, ann'),
    ).to.include('the pods of Deployment vds-lens lack the label app.kubernetes.io/part-of');
  });
  it('the rules for references report a violation once when several values files show it', () => {
    const resources = parseResources(right.replace('vds/app:1.0.0', 'vds/app'));
    const renders = ['a', 'b'].map((name) => ({
      release: { chart: 'vds', values: `${name}.yaml`, name },
      text: '',
      file: '',
      resources,
    }));
    expect(manifestFaults(renders)).to.deep.equal([
      'charts/vds: Deployment vds-lens: container lens its image vds/app has no fixed tag (a.yaml)',
    ]);
  });
});
