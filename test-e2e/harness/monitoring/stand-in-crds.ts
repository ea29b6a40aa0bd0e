/**
 * CRDs of other projects' operators, for a cluster without them: objects are stored, and no controller acts upon them.
 */
import { until } from '@vds/testkit/until';
import { command } from '../cluster/command.ts';

type Manifest = { readonly apiVersion: string; readonly kind: string };

/**
 * Makes the cluster accept every kind among the manifests.
 * @returns the kinds that are stand-ins, for example `keda.sh/v1alpha1 ScaledObject`
 */
export async function standInFor(manifests: readonly Manifest[]): Promise<readonly string[]> {
  const known = await knownKinds();
  const missing = new Map(
    manifests
      .map((manifest) => [`${manifest.apiVersion} ${manifest.kind}`, manifest] as const)
      .filter(([name]) => !known.has(name)),
  );
  if (missing.size === 0) return [];
  await applyAll([...missing.values()].map(definitionOf));
  await command('kubectl', [
    ...['wait', 'customresourcedefinitions', '--for', 'condition=established', '--timeout', '60s'],
    ...['--selector', 'app.kubernetes.io/managed-by=vds-e2e'],
  ]);
  // Established a moment before the API server lists it.
  const listed = async (): Promise<boolean> => {
    const now = await knownKinds();
    return [...missing.keys()].every((name) => now.has(name));
  };
  await until(listed, { capMs: 60_000, everyMs: 250, what: 'the stand-ins among the known kinds' });
  return [...missing.keys()];
}

/** Kinds that the cluster has, as `<group/version> <kind>`. */
async function knownKinds(): Promise<ReadonlySet<string>> {
  const table = await command('kubectl', ['api-resources', '--no-headers', '--output', 'wide']);
  return new Set(
    table.split('\n').flatMap((line) => /(\S+)\s+(?:true|false)\s+(\S+)/.exec(line)?.slice(1, 3).join(' ') ?? []),
  );
}

async function applyAll(items: readonly object[]): Promise<void> {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await command('kubectl', ['apply', '--server-side', '--filename', '-'], list);
}

function definitionOf({ apiVersion, kind }: Manifest): object {
  const [group = '', version = ''] = apiVersion.split('/');
  const plural = pluralOf(kind);
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      labels: { 'app.kubernetes.io/managed-by': 'vds-e2e' },
      // Kinds in groups that belong to Kubernetes require an approval annotation.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, a stand-in for tests' },
    },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

/** Plural names as in those projects; all of them are regular. */
function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** Removes every stand-in and the objects stored under it. */
export function removeStandIns(): Promise<string> {
  return command('kubectl', [
    ...['delete', 'customresourcedefinitions', '--ignore-not-found'],
    ...['--selector', 'app.kubernetes.io/managed-by=vds-e2e'],
  ]);
}
