/** A chart's render for tests, and the Secrets that its pods use. */
import { fileURLToPath } from 'node:url';
import { parseResources, podsOf, type Resource } from './resource.ts';
import { run } from '@vds/testkit/servers/command';
import { goProgram } from '@vds/testkit/programs/go-programs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type SecretUse = { readonly name: string; readonly key: string };
type Volume = {
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
  readonly projected?: {
    readonly sources: readonly {
      readonly secret?: { readonly name: string; readonly items?: readonly { readonly key: string }[] };
    }[];
  };
};
type Variable = { readonly valueFrom?: { readonly secretKeyRef?: SecretUse } };

/** Whether helm is installed. */
export function canRender(): boolean {
  return goProgram('helm') !== null;
}

/** The output of `helm template` for the chart with these arguments. */
export async function render(release: string, chart: string, args: readonly string[] = []): Promise<Resource[]> {
  return parseResources(
    await run(goProgram('helm') ?? 'helm', ['template', release, `charts/${chart}`, ...args], { cwd: root }),
  );
}

/** Every key of every Secret that the pods of these resources use, as `<name>/<key>`, each once, sorted. */
export function referencedSecrets(resources: readonly Resource[]): string[] {
  const uses = podsOf(resources).flatMap(({ spec }) => [
    ...[...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ env = [] }) =>
      (env as readonly Variable[]).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
    ),
    ...((spec.volumes ?? []) as readonly Volume[]).flatMap(({ secret, projected }) => [
      ...(secret ? mounted(secret.secretName, secret.items) : []),
      ...(projected?.sources ?? []).flatMap((source) =>
        source.secret ? mounted(source.secret.name, source.secret.items) : [],
      ),
    ]),
  ]);
  return [...new Set(uses.map(({ name, key }) => `${name}/${key}`))].toSorted();
}

/** A Secret mounted entirely is one use with the key `*`. */
function mounted(name: string, items: readonly { readonly key: string }[] | undefined): SecretUse[] {
  return items === undefined ? [{ name, key: '*' }] : items.map(({ key }) => ({ name, key }));
}
