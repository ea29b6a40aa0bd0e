/** Each rule for rendered resources accepts correct input and finds an injected violation. */
import { expect } from 'chai';
import { faultsOf, labels, faultsAfter, right } from './right-component.ts';
import { templateFaults } from './templates.ts';

const context = 'securityContext: { allowPrivilegeEscalation: false,';

describe('the rules for rendered resources', () => {
  it('the rules for rendered resources accept a correct component', () => expect(faultsOf(right)).to.equal(''));

  it('the rules for rendered resources find what a restricted namespace rejects in a container', () => {
    expect(faultsAfter('allowPrivilegeEscalation: false, ', '')).to.include('lens allows privilege escalation');
    expect(faultsAfter('drop: [ALL]', 'drop: [KILL]')).to.include('lens does not drop all capabilities');
    expect(faultsAfter('drop: [ALL]', 'drop: [ALL], add: [SYS_ADMIN]')).to.include('adds the capability SYS_ADMIN');
    expect(faultsAfter(context, `${context} privileged: true,`)).to.include('lens is privileged');
    expect(faultsAfter(context, `${context} runAsNonRoot: false,`)).to.include('lens may run as root');
    expect(faultsAfter(context, `${context} runAsUser: 0,`)).to.include('lens runs as user 0');
    expect(faultsAfter(context, `${context} procMount: Unmasked,`)).to.include('lens sets procMount');
    expect(faultsAfter(context, `${context} seccompProfile: { type: Unconfined },`)).to.include(
      'seccomp is unconfined',
    );
    expect(faultsAfter('containerPort: 9090', 'containerPort: 9090, hostPort: 9090')).to.include(
      "the host's port 9090",
    );
  });
  it('the rules for rendered resources find what a restricted namespace rejects in a pod', () => {
    expect(faultsAfter('runAsNonRoot: true, ', '')).to.include('lens may run as root');
    expect(faultsAfter('seccompProfile: { type: RuntimeDefault }', '')).to.include('has no seccomp profile');
    expect(faultsAfter('emptyDir: {}', 'hostPath: { path: / }')).to.include('mounts a hostPath volume');
    expect(faultsAfter('serviceAccountName', 'hostNetwork: true\n      serviceAccountName')).to.include(
      'sets hostNetwork',
    );
    expect(faultsAfter('runAsNonRoot: true,', 'runAsNonRoot: true, sysctls: [{ name: kernel.sem }],')).to.include(
      'kernel.sem',
    );
  });
  it('the rules for rendered resources cover Jobs, hooks, test pods and init containers', () => {
    const pod = `\n---\napiVersion: v1\nkind: Pod\nmetadata: { name: vds-test, labels: ${labels}, annotations: { helm.sh/hook: test } }\nspec: { automountServiceAccountToken: false, containers: [{ name: test, image: a:1 }] }`;
    expect(faultsOf(right + pod)).to.include('Pod vds-test: container test may run as root');
    expect(
      faultsAfter('      containers:', "      initContainers: [{ name: wait, image: 'a:1' }]\n      containers:"),
    ).to.include('Deployment vds-lens: container wait allows privilege escalation');
  });

  it('the rules for rendered resources find an image without a fixed tag', () => {
    expect(faultsAfter('vds/app:1.0.0', 'vds/app:latest')).to.include('vds/app:latest has no fixed tag');
    expect(faultsAfter('vds/app:1.0.0', 'registry:5000/vds/app')).to.include('has no fixed tag');
    expect(faultsAfter('vds/app:1.0.0', `vds/app@sha256:${'0'.repeat(64)}`)).to.equal('');
  });
  it('the rules for rendered resources find a container without requests or a memory limit', () => {
    expect(faultsAfter('cpu: 50m, ', '')).to.include('container lens requests no cpu');
    expect(faultsAfter('limits: { memory: 128Mi }', 'limits: {}')).to.include('container lens has no limit of memory');
  });
  it('the rules for rendered resources find a preStop sleep as long as the termination grace period', () => {
    expect(faultsAfter('seconds: 10', 'seconds: 60')).to.include('sleeps 60 s before its end, of 60 s in all');
  });
  it('the rules for rendered resources find a pod whose scratch folder keeps its node from the cluster autoscaler', () => {
    expect(faultsAfter("cluster-autoscaler.kubernetes.io/safe-to-evict: 'true'", '')).to.include(
      'Deployment vds-lens: has an emptyDir and does not say whether the autoscaler may remove its node',
    );
  });
  it('the rules for rendered resources find probes that are missing, on a wrong port, or that depend on dependencies', () => {
    expect(faultsAfter('livenessProbe: { httpGet: { path: /livez, port: admin } }', '')).to.include(
      'no liveness probe',
    );
    expect(faultsAfter('path: /livez, port: admin', 'path: /livez, port: web')).to.include(
      'probed on web, which it lacks',
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
