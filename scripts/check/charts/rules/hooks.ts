/** Resources that migration hooks need must outlive them, and a started migration must be allowed to finish. */
import { titleOf, type Resource } from '../resource.ts';

const migrating = /\bpre-(install|upgrade)\b/;
type JobSpec = {
  readonly activeDeadlineSeconds?: number;
  readonly template: {
    readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
    readonly spec: { readonly terminationGracePeriodSeconds?: number };
  };
};

/** Helm's default timeout of a hook. */
const PATIENCE_S = 300;

export function hookFaults(resources: readonly Resource[]): string[] {
  return [...policyFaults(resources), ...jobFaults(resources)];
}

/** Helm applies `hook-succeeded` and `hook-failed` even while a Job that it no longer waits for is running. */
function policyFaults(resources: readonly Resource[]): string[] {
  return resources.flatMap((one) => {
    const { annotations = {} } = one.metadata;
    if (isPod(one.kind) || !migrating.test(annotations['helm.sh/hook'] ?? '')) return [];
    const policy = annotations['helm.sh/hook-delete-policy'];
    return policy === 'before-hook-creation'
      ? []
      : [`${titleOf(one)} may go while a hook still needs it (hook-delete-policy ${policy})`];
  });
}

function isPod(kind: string): boolean {
  return kind === 'Job' || kind === 'Pod';
}

function jobFaults(resources: readonly Resource[]): string[] {
  return resources.flatMap((one) => {
    if (one.kind !== 'Job') return [];
    const { activeDeadlineSeconds: longest = Infinity, template } = one.spec as unknown as JobSpec;
    if (template.metadata?.labels?.['app.kubernetes.io/component'] !== 'migration') return [];
    const grace = template.spec.terminationGracePeriodSeconds ?? 30;
    const hooked = migrating.test(one.metadata.annotations?.['helm.sh/hook'] ?? '');
    return [
      ...(grace < longest ? [`${titleOf(one)} may be killed in the middle of a migration, after ${grace} s`] : []),
      ...(hooked && longest >= PATIENCE_S ? [`${titleOf(one)} may take ${longest} s, which Helm does not wait`] : []),
    ];
  });
}
