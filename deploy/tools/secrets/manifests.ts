/** Secrets as Kubernetes manifests. */
import { stringify } from 'yaml';
import type { Secrets } from './release-secrets.ts';

/** YAML with one document per Secret. */
export function manifestsOf(secrets: Secrets, namespace: string | undefined): string {
  return [...secrets]
    .map(([name, values]) => {
      const { 'tls.crt': certificate } = values;
      return stringify(
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {
            name,
            ...(namespace !== undefined && { namespace }),
            labels: { 'app.kubernetes.io/part-of': 'vds' },
          },
          type: certificate === undefined ? 'Opaque' : 'kubernetes.io/tls',
          stringData: values,
        },
        { lineWidth: 0 },
      );
    })
    .join('---\n');
}
