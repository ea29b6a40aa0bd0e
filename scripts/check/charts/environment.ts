/** Every release gives each service exactly the variables that its config.ts reads, and starts files that exist. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '@vds/chassis/errors';
import { processConfig } from '@vds/chassis/process/run';
import type { ConfigSpec } from '@vds/chassis/config/config';
import type { Rendered } from './release.ts';
import { containersOf, podsOf, type Resource } from './resource.ts';

/** A container's variables; undefined for values from a Secret or a field of the pod, which are unknown here. */
export type Variables = ReadonlyMap<string, string | undefined>;
export type Component = {
  readonly name: string;
  readonly args: readonly string[];
  readonly variables: Variables;
  /** Where volumes are mounted. */
  readonly mounts: readonly string[];
};

/** Variables that Node itself reads. */
const readByNode = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** Begins the value of a variable whose secret is in a mounted file. */
const AS_FILE = 'file:';

/** Each violation once, with the first values file that has it. */
export async function checkEnvironment(root: string, renders: readonly Rendered[]): Promise<string[]> {
  const found = await Promise.all(
    renders.map(async ({ release, resources }) => {
      const faults = await Promise.all(componentsOf(resources).map((one) => componentFaults(root, one)));
      return faults.flat().map((what) => ({ what, values: release.values }));
    }),
  );
  const faults = Object.entries(Object.groupBy(found.flat(), ({ what }) => what));
  return faults.map(([what, where = []]) => `${what} (${where[0]?.values})`);
}

/** The containers of every pod, with their variables. */
export function componentsOf(resources: readonly Resource[]): Component[] {
  const maps = new Map(
    resources.flatMap((one) => (one.kind === 'ConfigMap' ? [[one.metadata.name, one.data ?? {}] as const] : [])),
  );
  return podsOf(resources)
    .flatMap(containersOf)
    .map(({ name, args = [], env = [], envFrom = [], volumeMounts = [] }) => ({
      name,
      args,
      mounts: volumeMounts.map(({ mountPath }) => mountPath),
      variables: new Map<string, string | undefined>([
        ...envFrom.flatMap(({ configMapRef }) => Object.entries(maps.get(configMapRef?.name ?? '') ?? {})),
        ...env.map((variable) => [variable.name, variable.value] as const),
      ]),
    }));
}

async function componentFaults(root: string, { name, args, variables, mounts }: Component): Promise<string[]> {
  const missing = args.filter((path) => /^[\w/-]+\.ts$/.test(path) && !existsSync(join(root, path)));
  const faults = [
    ...missing.map((path) => `${name}: starts ${path}, which does not exist`),
    ...[...unmountedFiles(variables, mounts), ...natsLoginFaults(variables)].map((what) => `${name}: ${what}`),
  ];
  const service = args.map((path) => /^services\/([^/]+)\/src\/main\.ts$/.exec(path)?.[1]).find(Boolean);
  // The operator's program has no configuration but its addresses and its token.
  if (service === undefined || service === 'vdsctl') return faults;
  const config = join(root, 'services', service, 'src/config.ts');
  return [
    ...faults,
    ...(existsSync(config)
      ? environmentFaults(service, await specOf(config), variables)
      : [`${service}: has no src/config.ts`]),
  ];
}

/** Variables with the path of a file that no volume holds. */
export function unmountedFiles(variables: Variables, mounts: readonly string[]): string[] {
  return [...variables].flatMap(([name, value = '']) => {
    const path = /_FILE$|^NODE_EXTRA_CA_CERTS$/.test(name)
      ? value
      : value.startsWith(AS_FILE) && value.slice(AS_FILE.length);
    if (path === false || path === '' || mounts.some((mount) => path.startsWith(`${mount}/`))) return [];
    return [`${name} is ${path}, which is under no mount`];
  });
}

/** NATS takes a user with a password, a credentials file or a certificate: two of them, or half of one, is an error at boot. */
export function natsLoginFaults(variables: Variables): string[] {
  if (!variables.has('NATS_URL')) return [];
  const ways = [['NATS_USER', 'NATS_PASSWORD'], ['NATS_CREDS_FILE'], ['NATS_CERT_FILE', 'NATS_KEY_FILE']];
  const given = ways.flat().filter((name) => variables.has(name));
  return ways.some((way) => given.join() === way.join())
    ? []
    : [
        `logs in to NATS by ${given.join(' and ') || 'nothing'}, not by a user and a password, a credentials file or a certificate`,
      ];
}

/** Errors of a service with this configuration, and variables that it never reads. */
export function environmentFaults(service: string, spec: ConfigSpec, variables: Variables): string[] {
  const whole: ConfigSpec[string][] = Object.values({ ...spec, ...processConfig });
  const read = new Set<string>([...whole.map(([name]) => name), ...readByNode]);
  return [
    ...whole.flatMap(([name, reader]) => fault(name, reader, variables) ?? []),
    ...[...variables.keys()].filter((name) => !read.has(name)).map((name) => `${name} is set and never read`),
  ].map((what) => `${service}: ${what}`);
}

function fault(
  name: string,
  read: (value: string | undefined, name: string) => unknown,
  variables: Variables,
): string | undefined {
  if (variables.has(name) && variables.get(name) === undefined) return undefined;
  // Without a value the reader picks any free port, which no Service of the chart could find.
  if (name.endsWith('_PORT') && !variables.has(name)) return `${name} is not rendered`;
  const isFile = variables.get(name)?.startsWith(AS_FILE) ?? false;
  try {
    read(variables.get(name), name);
    return isFile ? `${name} is a file, and its reader takes the name for the secret` : undefined;
  } catch (error) {
    // The file is in the pod, not here: whoever looks for it reads files.
    return isFile && messageOf(error).endsWith('names a file that cannot be read') ? undefined : messageOf(error);
  }
}

/** The variables of a service: the specification that its config.ts exports. */
async function specOf(file: string): Promise<ConfigSpec> {
  const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const [name] = Object.keys(exported).filter((key) => /config$/i.test(key));
  if (name === undefined) throw new Error(`${file} exports nothing that is called …Config`);
  return exported[name] as ConfigSpec;
}
