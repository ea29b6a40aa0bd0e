/** Each rule for rendered resources accepts correct input and finds an injected violation. */
import { expect } from 'chai';
import { faultsOf, labels, planted, right } from './right-component.ts';
import { templateFaults } from './templates.ts';

const context = 'securityContext: { allowPrivilegeEscalation: false,';

describe('the rules for rendered resources', () => {
  it('accept a component that is right', () => expect(faultsOf(right)).to.equal(''));

  it('find what a restricted namespace rejects in a container', () => {
    expect(planted('allowPrivilegeEscalation: false, ', '')).to.include('lens allows privilege escalation');
    expect(planted('drop: [ALL]', 'drop: [KILL]')).to.include('lens does not drop all capabilities');
    expect(planted('drop: [ALL]', 'drop: [ALL], add: [SYS_ADMIN]')).to.include('adds the capability SYS_ADMIN');
    expect(planted(context, `${context} privileged: true,`)).to.include('lens is privileged');
    expect(planted(context, `${context} runAsNonRoot: false,`)).to.include('lens may run as root');
    expect(planted(context, `${context} runAsUser: 0,`)).to.include('lens runs as user 0');
    expect(planted(context, `${context} procMount: Unmasked,`)).to.include('lens sets procMount');
    expect(planted(context, `${context} seccompProfile: { type: Unconfined },`)).to.include('seccomp is unconfined');
    expect(planted('containerPort: 9090', 'containerPort: 9090, hostPort: 9090')).to.include("the host's port 9090");
  });
  it('find what a restricted namespace rejects in a pod', () => {
    expect(planted('runAsNonRoot: true, ', '')).to.include('lens may run as root');
    expect(planted('seccompProfile: { type: RuntimeDefault }', '')).to.include('has no seccomp profile');
    expect(planted('emptyDir: {}', 'hostPath: { path: / }')).to.include('mounts a hostPath volume');
    expect(planted('serviceAccountName', 'hostNetwork: true\n      serviceAccountName')).to.include('sets hostNetwork');
    expect(planted('runAsNonRoot: true,', 'runAsNonRoot: true, sysctls: [{ name: kernel.sem }],')).to.include(
      'kernel.sem',
    );
  });
  it('find it in Jobs, hooks, test pods and containers that run before', () => {
    const pod = `\n---\napiVersion: v1\nkind: Pod\nmetadata: { name: vds-test, labels: ${labels}, annotations: { helm.sh/hook: test } }\nspec: { automountServiceAccountToken: false, containers: [{ name: test, image: a:1 }] }`;
    expect(faultsOf(right + pod)).to.include('Pod vds-test: container test may run as root');
    expect(
      planted('      containers:', "      initContainers: [{ name: wait, image: 'a:1' }]\n      containers:"),
    ).to.include('Deployment vds-lens: container wait allows privilege escalation');
  });

  it('find an image that is another one tomorrow', () => {
    expect(planted('vds/app:1.0.0', 'vds/app:latest')).to.include('vds/app:latest has no fixed tag');
    expect(planted('vds/app:1.0.0', 'registry:5000/vds/app')).to.include('has no fixed tag');
    expect(planted('vds/app:1.0.0', `vds/app@sha256:${'0'.repeat(64)}`)).to.equal('');
  });
  it('find a container without requests or a limit of memory', () => {
    expect(planted('cpu: 50m, ', '')).to.include('container lens requests no cpu');
    expect(planted('limits: { memory: 128Mi }', 'limits: {}')).to.include('container lens has no limit of memory');
  });
  it('find a sleep that is as long as the pod has to end', () => {
    expect(planted('seconds: 10', 'seconds: 60')).to.include('sleeps 60 s before its end, of 60 s in all');
  });
  it('find probes that are missing, use the wrong port, or restart a pod when a dependency is down', () => {
    expect(planted('livenessProbe: { httpGet: { path: /livez, port: admin } }', '')).to.include('no liveness probe');
    expect(planted('path: /livez, port: admin', 'path: /livez, port: web')).to.include('probed on web, which it lacks');
    expect(planted('path: /livez', 'path: /readyz')).to.include('dies when a dependency does');
  });
  it('find a token of the Kubernetes API', () => {
    expect(planted('      automountServiceAccountToken: false\n', '')).to.include('mounts a token');
    expect(planted('automountServiceAccountToken: false\n---', '---')).to.include('vds-lens hands out its token');
  });
  it('find a secret in plain text', () => {
    expect(planted('lens@db', 'lens:secret@db')).to.include('DATABASE_URL holds a password in an address');
    expect(planted('TLS_KEY_FILE: /etc', 'RPC_TOKEN: abc, X: /etc')).to.include('RPC_TOKEN is a secret by its name');
    expect(planted('args: [', 'args: [--db=postgres://a:b@c, ')).to.include('an argument holds a password');
    expect(
      planted('valueFrom: { secretKeyRef: { name: vds-lens, key: DATABASE_PASSWORD } }', 'value: secret'),
    ).to.include('container lens: DATABASE_PASSWORD is a secret by its name');
    expect(planted('/etc/tls.key', '"-----BEGIN EC PRIVATE KEY-----"')).to.include('holds a private key');
    expect(planted('kind: ConfigMap', 'kind: Secret')).to.include('Secret vds-lens: is rendered');
  });
});

describe('the rules for templates', () => {
  it('find functions that query the cluster, or return random values or the time', () => {
    expect(templateFaults('a.yaml', 'x: {{ lookup "v1" "Secret" .Release.Namespace "a" }}')).to.have.length(1);
    expect(templateFaults('a.yaml', '{{- $p := randAlphaNum 12 -}}\n{{ now | date "2006" }}')).to.have.length(2);
    expect(templateFaults('a.yaml', '{{- $ca := genCA "a" 1 -}}')).to.have.length(1);
  });
  it('let comments, texts and values of such names be', () => {
    expect(templateFaults('a.yaml', '{{/* now lookup */}}{{ fail "do it now" }} now {{ .Values.now }}')).to.deep.equal(
      [],
    );
  });
});
