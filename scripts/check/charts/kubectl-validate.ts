/** kubectl-validate: every resource of Kubernetes itself against the API server's own schemas, which are inside the tool. */
import { output } from '../outcome.ts';
import { distinct, withFiles, type Manifest } from './manifests.ts';
import type { Rendered } from './release.ts';

/** The newest schemas that are inside kubectl-validate, and the oldest Kubernetes that the charts take. */
const version = '1.30';
const builtIn = /^(v1|(apps|batch|autoscaling|policy)\/v\d+|[a-z.]+\.k8s\.io\/v\d+)$/;

/** Whether a resource is Kubernetes' own; the others are defined by operators, whose schemas are not inside the tool. */
export const isBuiltIn = ({ resource }: Manifest): boolean =>
  builtIn.test(resource.apiVersion) && !resource.apiVersion.startsWith('gateway.networking.k8s.io/');

/** The faults in what kubectl-validate prints: `<file>...ERROR` and the lines below it. */
export const validateFaults = (text: string, manifests: readonly Manifest[]): string[] => {
  const parts = text.split(/^(?=\S*\.yaml\.\.\.)/m).filter((part) => /\.yaml\.\.\.ERROR/.test(part));
  return parts.map((part) => {
    const [first = '', ...rest] = part.trim().split('\n');
    const manifest = manifests.find(({ file }) => first.includes(file));
    const title = manifest
      ? `${manifest.values[0]}: ${manifest.resource.kind} ${manifest.resource.metadata.name}`
      : first;
    return `${title}: ${rest.join(' ').trim()}`;
  });
};

export type Validation = {
  readonly count: number;
  readonly skippedKinds: readonly string[];
  readonly faults: string[];
};

export const checkSchemas = async (root: string, tool: string, renders: readonly Rendered[]): Promise<Validation> => {
  const all = distinct(renders);
  const known = all.filter(isBuiltIn);
  const others = all.filter((one) => !isBuiltIn(one)).map(({ resource }) => resource.kind);
  return await withFiles(known, async (folder) => {
    const { code, text } = await output(tool, ['--version', version, folder], {
      cwd: root,
      // Without one it would ask the cluster of whoever runs this.
      env: { ...process.env, KUBECONFIG: '/dev/null' },
    });
    const faults = validateFaults(text, known);
    return {
      count: known.length,
      skippedKinds: [...new Set(others)].toSorted(),
      faults: code === 0 || faults.length > 0 ? faults : [`kubectl-validate: ${text}`],
    };
  });
};
