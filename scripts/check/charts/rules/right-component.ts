/** A component whose resources violate no rule, into which tests inject violations. */
import { expect } from 'chai';
import { parseResources } from '../resource.ts';
import { resourceFaults } from './all.ts';

export const labels = `{ app.kubernetes.io/instance: vds, app.kubernetes.io/name: lens, app.kubernetes.io/part-of: vds, app.kubernetes.io/managed-by: Helm }`;
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
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: vds-lens, labels: ${labels} }
spec: { maxUnavailable: 1, selector: { matchLabels: { app.kubernetes.io/name: lens } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: vds-lens, labels: ${labels} }
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
      securityContext: { runAsNonRoot: true, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: lens
          image: vds/app:1.0.0
          args: [services/lens/src/main.ts]
          envFrom: [{ configMapRef: { name: vds-lens } }]
          env: [{ name: DATABASE_PASSWORD, valueFrom: { secretKeyRef: { name: vds-lens, key: DATABASE_PASSWORD } } }]
          ports: [{ name: admin, containerPort: 9090 }, { name: rpc, containerPort: 50051 }]
          livenessProbe: { httpGet: { path: /livez, port: admin } }
          readinessProbe: { httpGet: { path: /readyz, port: admin } }
          lifecycle: { preStop: { sleep: { seconds: 10 } } }
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          resources: { requests: { cpu: 50m, memory: 64Mi }, limits: { memory: 128Mi } }
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
