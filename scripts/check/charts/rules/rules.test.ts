/** Each rule for rendered resources accepts correct input and finds an injected violation. */
import { expect } from 'chai';
import { faultsOf, faultsAfter, right } from './right-component.ts';
import { templateFaults } from './templates.ts';

describe('the rules for rendered resources', () => {
  it('the rules for rendered resources accept a correct component', () => expect(faultsOf(right)).to.equal(''));

  it('the rules for rendered resources cover Jobs, hooks, test pods and init containers', () => {
    const pod = `\n---\napiVersion: v1\nkind: Pod\nmetadata: { name: vds-test, annotations: { helm.sh/hook: test } }\nspec: { containers: [{ name: test, image: a:1 }] }`;
    expect(faultsOf(right + pod)).to.equal('Pod vds-test: mounts a token of the Kubernetes API');
  });
  it('the rules for rendered resources find a preStop sleep as long as the termination grace period', () => {
    expect(faultsAfter('seconds: 10', 'seconds: 60')).to.include('sleeps 60 s before its end, of 60 s in all');
  });
  it('the rules for rendered resources find a pod whose scratch folder keeps its node from the cluster autoscaler', () => {
    expect(faultsAfter("cluster-autoscaler.kubernetes.io/safe-to-evict: 'true'", '')).to.include(
      'Deployment vds-lens: has an emptyDir and does not say whether the autoscaler may remove its node',
    );
  });
  it('the rules for rendered resources find a pod that would stay on a lost node', () => {
    expect(faultsAfter('key: node.kubernetes.io/unreachable', 'key: example.com/other')).to.include(
      'Deployment vds-lens: stays for minutes on a node that is lost (node.kubernetes.io/unreachable)',
    );
  });
  it('the rules for rendered resources find a liveness probe that is missing, or that depends on other servers', () => {
    expect(faultsAfter('livenessProbe: { httpGet: { path: /livez, port: admin } }', '')).to.include(
      'no liveness probe',
    );
    expect(faultsAfter('path: /livez', 'path: /readyz')).to.include('dies when a dependency does');
  });
  it('the rules for rendered resources find a mounted token of the Kubernetes API', () => {
    expect(faultsAfter('      automountServiceAccountToken: false\n', '')).to.include('mounts a token');
    expect(faultsAfter('automountServiceAccountToken: false\n---', '---')).to.include('vds-lens hands out its token');
  });
  it('the rules for rendered resources find a secret in plain text', () => {
    expect(faultsAfter('lens@db', 'lens:secret@db')).to.include('DATABASE_URL holds a password in an address');
    expect(faultsAfter('TLS_KEY_FILE: /etc', 'RPC_TOKEN: abc, X: /etc')).to.include(
      'RPC_TOKEN is a secret by its name',
    );
    expect(faultsAfter('args: [', 'args: [--db=postgres://a:b@c, ')).to.include('an argument holds a password');
    expect(
      faultsAfter('valueFrom: { secretKeyRef: { name: vds-lens, key: DATABASE_PASSWORD } }', 'value: secret'),
    ).to.include('container lens: DATABASE_PASSWORD is a secret by its name');
    expect(faultsAfter('/etc/tls.key', '"-----BEGIN EC PRIVATE KEY-----"')).to.include('holds a private key');
    expect(faultsAfter('kind: ConfigMap', 'kind: Secret')).to.include('Secret vds-lens: is rendered');
  });
});

describe('the rules for templates', () => {
  it('the rules for templates find functions that query the cluster, or return random values or the time', () => {
    expect(templateFaults('a.yaml', 'x: {{ lookup "v1" "Secret" .Release.Namespace "a" }}')).to.have.length(1);
    expect(templateFaults('a.yaml', '{{- $p := randAlphaNum 12 -}}\n{{ now | date "2006" }}')).to.have.length(2);
    expect(templateFaults('a.yaml', '{{- $ca := genCA "a" 1 -}}')).to.have.length(1);
  });
  it('the rules for templates ignore comments, texts and values with such names', () => {
    expect(templateFaults('a.yaml', '{{/* now lookup */}}{{ fail "do it now" }} now {{ .Values.now }}')).to.deep.equal(
      [],
    );
  });
});
