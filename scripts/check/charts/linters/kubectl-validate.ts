/**
 * kubectl-validate: every resource of Kubernetes itself against the API server's own schemas, which the tool embeds.
 */
import { output } from '../outcome.ts';
import { distinct, withFiles, type Manifest } from './manifests.ts';
import type { Rendered } from '../release.ts';
import { titleOf } from '../resource.ts';

/** The newest schemas in kubectl-validate, and the oldest Kubernetes that the charts support. */
const version = '1.30';
const builtIn = /^(v1|(apps|batch|autoscaling|policy)\/v\d+|[a-z.]+\.k8s\.io\/v\d+)$/;

type Status = { readonly status: string; readonly message?: string };

export type Validation = {
  readonly count: number;
  readonly skippedKinds: readonly string[];
  readonly faults: string[];
};

export async function checkSchemas(root: string, tool: string, renders: readonly Rendered[]): Promise<Validation> {
  const all = distinct(renders);
  const known = all.filter(isBuiltIn);
  const others = all.filter((one) => !isBuiltIn(one)).map(({ resource }) => resource.kind);
  return await withFiles(known, async (folder) => {
    const { stdout, text } = await output(tool, ['--version', version, '--output', 'json', folder], {
      cwd: root,
      // Without one it would use the caller's current cluster.
      env: { ...process.env, KUBECONFIG: '/dev/null' },
    });
    if (!stdout.trimStart().startsWith('{')) throw new Error(`kubectl-validate did not read the manifests: ${text}`);
    return {
      count: known.length,
      skippedKinds: [...new Set(others)].toSorted(),
      faults: validateFaults(stdout, known),
    };
  });
}

/** Whether a resource is one of Kubernetes' own; operators define the others, and the tool lacks their schemas. */
export function isBuiltIn({ resource }: Manifest): boolean {
  return builtIn.test(resource.apiVersion) && !resource.apiVersion.startsWith('gateway.networking.k8s.io/');
}

/** The errors in kubectl-validate's JSON: a list of results for each file. */
export function validateFaults(json: string, manifests: readonly Manifest[]): string[] {
  return Object.entries(JSON.parse(json) as Record<string, Status[]>).flatMap(([path, results]) => {
    const manifest = manifests.find(({ file }) => path.endsWith(file));
    const title = manifest ? `${manifest.values[0]}: ${titleOf(manifest.resource)}` : path;
    return results
      .filter(({ status }) => status !== 'Success')
      .map(({ message = 'no message' }) => `${title}: ${message.replace(/^ "" is invalid: /, '')}`);
  });
}
