/** Whether the variables that the chart renders are those that the services read. */
import { processConfig } from '@vds/shared/run';
import type { ConfigSpec } from '@vds/shared/config';
import { messageOf } from '@vds/shared/errors';
import { parseAllDocuments } from 'yaml';

/** A component's variables; undefined for what comes from a Secret and is unknown here. */
export type Variables = ReadonlyMap<string, string | undefined>;
export type Component = { readonly name: string; readonly args: readonly string[]; readonly variables: Variables };

type Container = {
  name: string;
  args?: string[];
  env?: { name: string; value?: string }[];
  envFrom?: { configMapRef: { name: string } }[];
};
type Resource = {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: { spec: { containers: Container[] } } };
};

/** The containers of every Deployment or Job in what `helm template` printed, with their variables. */
export const componentsOf = (rendered: string, kind: 'Deployment' | 'Job'): Component[] => {
  const resources = parseAllDocuments(rendered).map((document) => document.toJS() as Resource | null);
  const maps = new Map(
    resources.flatMap((one) => (one?.kind === 'ConfigMap' ? [[one.metadata.name, one.data ?? {}] as const] : [])),
  );
  return resources
    .filter((one) => one?.kind === kind)
    .flatMap((one) => one?.spec?.template?.spec.containers ?? [])
    .map(({ name, args = [], env = [], envFrom = [] }) => ({
      name,
      args,
      variables: new Map<string, string | undefined>([
        ...envFrom.flatMap(({ configMapRef }) => Object.entries(maps.get(configMapRef.name) ?? {})),
        ...env.map((variable) => [variable.name, variable.value] as const),
      ]),
    }));
};

const fault = (
  name: string,
  read: (value: string | undefined, name: string) => unknown,
  variables: Variables,
): string | undefined => {
  if (variables.has(name) && variables.get(name) === undefined) return undefined;
  // Without a value the reader picks any free port, which no Service of the chart could find.
  if (name.endsWith('_PORT') && !variables.has(name)) return `${name} is not rendered`;
  try {
    read(variables.get(name), name);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

/** Variables that Node itself reads. */
const readByNode = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** What a service with this configuration would complain about, and what it is given and never reads. */
export const environmentFaults = (service: string, spec: ConfigSpec, variables: Variables): string[] => {
  const whole: ConfigSpec[string][] = Object.values({ ...spec, ...processConfig });
  const read = new Set<string>([...whole.map(([name]) => name), ...readByNode]);
  return [
    ...whole.flatMap(([name, reader]) => fault(name, reader, variables) ?? []),
    ...[...variables.keys()].filter((name) => !read.has(name)).map((name) => `${name} is given and never read`),
  ].map((what) => `${service}: ${what}`);
};
