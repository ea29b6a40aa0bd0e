/**
 * What one stack keeps between runs: its name, secrets and ports, in `<dir>/stack.json`. A stack with a name has every
 * database, role, bucket and user under that name, so that several coexist on the same servers.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, portIsFree } from '../servers/free-port.ts';
import { writePrivate } from '../servers/settings.ts';
import { randomSecret, type Installation } from '@vds/deploy-tools/installation';
import { rowOf, type PortName, type ServiceName } from '@vds/deploy-tools/services';

export type Ports = Partial<Record<PortName | 'admin', number>>;

export type Stored = {
  name: string;
  /** By purpose and service, for example `database owner of auth`. */
  secrets: Record<string, string>;
  /** By process, for example `transcode-2`. */
  ports: Record<string, Ports>;
};

export type StackState = Installation & {
  readonly dir: string;
  readonly ports: (process: string, service: ServiceName) => Promise<Ports>;
};

/** Opens `<dir>/stack.json`, or starts a new one. The name must be lowercase letters, digits and dashes; '' is the only unprefixed stack. */
export function openState(dir: string, name: string): StackState {
  // `vds` is the index prefix of the stack without a name.
  if (!/^([a-z][a-z0-9-]{0,15})?$/.test(name) || name === 'vds')
    throw new Error(
      `'${name}' is not a name for a stack: lowercase letters, digits and dashes, at most 16, and not vds`,
    );
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'stack.json');
  const stored: Stored = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Stored)
    : { name, secrets: {}, ports: {} };
  if (stored.name !== name) throw new Error(`${dir} belongs to the stack '${stored.name}', not to '${name}'`);
  const save = (): void => writePrivate(file, `${JSON.stringify(stored, null, 2)}\n`);
  return {
    dir,
    name,
    secret: (purpose) => {
      const known = stored.secrets[purpose];
      if (known !== undefined) return known;
      const made = randomSecret();
      stored.secrets[purpose] = made;
      save();
      return made;
    },
    ports: async (process, service) => {
      const ports: Ports = {};
      for (const port of ['admin', ...rowOf(service).ports] as const) {
        const known = stored.ports[process]?.[port];
        ports[port] = known !== undefined && (await portIsFree(known)) ? known : await freePort();
      }
      stored.ports[process] = ports;
      save();
      return ports;
    },
  };
}
