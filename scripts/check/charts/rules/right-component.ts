/** A component whose resources violate no rule, into which tests inject violations. */
import { expect } from 'chai';
import { parseResources } from '../resource.ts';
import { resourceFaults } from './all.ts';

const labels = `{ app.kubernetes.io/instance: vds, app.kubernetes.io/name: lens }`;
export const right = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: vds-lens, labels: ${labels} }
automountServiceAccountToken: false
---
apiVersion: v1
kind: ConfigMap
metadata: { name: vds-lens, labels: ${labels} }
data: { DATABASE_URL: 'postgresql://lens@db:5432/lens', TLS_KEY_FILE: /etc/tls.key }
---
apiVersion: v1
kind: Service
metadata: { name: vds-lens, labels: ${labels} }
spec: { selector: { app.kubernetes.io/name: lens }, ports: [{ name: rpc, port: 50051, targetPort: rpc }] }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: vds-lens }
spec: { scaleTargetRef: { kind: Deployment, name: vds-lens }, maxReplicas: 3 }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: vds-lens, labels: ${labels} }
spec:
  selector: { matchLabels: { app.kubernetes.io/name: lens } }
  template:
    metadata: { labels: ${labels}, annotations: { cluster-autoscaler.kubernetes.io/safe-to-evict: 'true' } }
    spec:
      serviceAccountName: vds-lens
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 60
      tolerations:
        - { key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 30 }
        - { key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 30 }
      containers:
        - name: lens
          image: vds/app:1.0.0
          args: [services/lens/src/main.ts]
          envFrom: [{ configMapRef: { name: vds-lens } }]
          env: [{ name: DATABASE_PASSWORD, valueFrom: { secretKeyRef: { name: vds-lens, key: DATABASE_PASSWORD } } }]
          ports: [{ name: admin, containerPort: 9090 }, { name: rpc, containerPort: 50051 }]
          livenessProbe: { httpGet: { path: /livez, port: admin } }
          lifecycle: { preStop: { sleep: { seconds: 10 } } }
      volumes: [{ name: scratch, emptyDir: {} }]
`;

/** The violations after a change that must match. */
export function faultsAfter(from: string, to: string): string {
  expect(right).to.include(from);
  return faultsOf(right.replace(from, to));
}

export function faultsOf(text: string): string {
  return resourceFaults(parseResources(text)).join('\n');
}
