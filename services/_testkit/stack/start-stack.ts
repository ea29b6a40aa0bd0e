/** Provisions a stack on running servers and starts its services as child processes on this host. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import type { Servers } from '../servers/servers-file.ts';
import { stopDetached } from '../servers/detached.ts';
import { wipeNats } from '../servers/nats.ts';
import { writePrivate } from '../servers/settings.ts';
import { adminPools } from './admin-pools.ts';
import { loginOf, type Login } from '@vds/deploy-tools/provision/databases';
import { environmentOf, httpUrl, rpcTarget, type Environment, type PlannedProcess } from './environment.ts';
import { stackProcess, type Exit, type StackProcess, type Line } from './processes.ts';
import { provision, provisionDatabases, removeProvisions, settingsOf } from './provision.ts';
import { bucketsOf, tokensOf, type Caller } from '@vds/deploy-tools/installation';
import { openState, type StackState } from './state.ts';
import { OPERATOR, rowOf, serviceNames, type BucketRole, type ServiceName } from '@vds/deploy-tools/services';

export type StackOptions = {
  /** Folder of the stack: secrets, ports, pids and logs. A second stack in it reuses them. */
  dir: string;
  servers: Servers;
  /**
   * Prefix of everything the stack has on the servers (lowercase letters, digits and dashes); '' for the only unprefixed one.
   */
  name?: string;
  replicas?: Partial<Record<ServiceName, number>>;
  /** Variables added to a service's environment, which override those of the stack. */
  env?: Partial<Record<ServiceName, Environment>>;
  /** Services to start; every service of the stack by default. */
  services?: ServiceName[];
  /** Services that are ready when the stack is returned; the others follow, see `whole`. All by default. */
  first?: readonly ServiceName[];
  /** Whether everything that the stack needs is on the servers already, by other means; then `remove` is not for it. */
  provisioned?: boolean;
  /** Called with the ports of every process, before the first one starts. */
  onPlanned?: (planned: readonly PlannedProcess[]) => void;
  /** Called with each line that a process prints, in addition to its log file. */
  onLine?: Line;
};

export type Stack = {
  readonly dir: string;
  readonly name: string;
  readonly servers: Servers;
  /** Every process, in the order of the table; replicas are called `<service>-<n>` from the second on. */
  readonly processes: readonly StackProcess[];
  /** Resolves when every process is ready; rejects if one cannot be. */
  readonly whole: Promise<void>;
  /** A process by its name. */
  readonly process: (name: string) => StackProcess;
  /** Base URL of the HTTP endpoint of a service's first replica. */
  readonly url: (service: ServiceName) => string;
  /** gRPC target of a service. */
  readonly rpc: (service: ServiceName, port?: 'rpc' | 'adminRpc') => string;
  /** Service tokens, the operator's, and that of the platform's apps. */
  readonly tokens: Readonly<Record<Caller, string>>;
  readonly buckets: Readonly<Record<BucketRole, string>>;
  /** The credentials of a service for its database. */
  readonly login: (service: ServiceName) => Login;
  /** A superuser's pool on a service's database; `stop` closes it. */
  readonly adminPool: (service: ServiceName) => pg.Pool;
  /**
   * Kills nats-server, deletes everything JetStream stored and starts it empty: only for a stack with its own servers.
   */
  readonly wipeJetStream: () => Promise<void>;
  /** SIGTERM to every process at once; after 40 s SIGKILL. Returns how each ended. */
  readonly stop: () => Promise<Record<string, Exit>>;
  /** Stops the stack and removes everything it has on the servers. */
  readonly remove: () => Promise<void>;
};

/**
 * Provisions and starts the stack; resolves when every process is ready, or those of `first`. On failure nothing stays
 * running.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { servers } = options;
  const dir = resolve(options.dir);
  const state = openState(dir, options.name ?? '');
  await endLeftovers(dir);
  const planned = await planProcesses(state, options);
  options.onPlanned?.(planned);
  const started = options.services ?? serviceNames;
  const first = options.first ?? started;
  const later = started.filter((service) => !first.includes(service));
  if (options.provisioned !== true) await provision(servers, state, [...first]);
  const wanted = planned.filter(({ service }) => started.includes(service));
  const processes = wanted.map((one) =>
    stackProcess(dir, one, environmentOf(servers, state, planned, one, options.env?.[one.service]), options.onLine),
  );
  const those = (services: readonly ServiceName[]) => processes.filter(({ service }) => services.includes(service));
  await startAll(those(first));
  writeOperatorFile(state, planned);
  let isStopped = false;
  const whole = startRest(those(later), async () => {
    if (options.provisioned !== true) await provisionDatabases(servers, state, later);
    return !isStopped;
  });
  whole.catch(() => undefined); // not every caller awaits it

  const pools = adminPools(servers, state.name);
  const find = (name: string): StackProcess => processNamed(processes, name);
  const stop = async (): Promise<Record<string, Exit>> => {
    isStopped = true;
    await pools.end();
    return Object.fromEntries(
      await Promise.all(processes.map(async (one) => [one.name, await stopProcess(one)] as const)),
    );
  };
  const remove = async (): Promise<void> => {
    await stop();
    await whole.catch(() => undefined); // it was stopped
    await removeProvisions(servers, state.name);
  };
  return {
    dir,
    name: state.name,
    servers,
    processes,
    whole,
    process: find,
    url: (service) => find(service).url ?? '',
    rpc: (service, port = 'rpc') => rpcTarget(planned, service, port),
    tokens: tokensOf(state),
    buckets: bucketsOf(state.name),
    login: (service) => loginOf(servers, state, service, 'runtime'),
    adminPool: pools.of,
    wipeJetStream: async () => await wipeNats(servers.nats.dir, settingsOf(servers)),
    stop,
    remove,
  };
}

/** Stops processes of a killed stack of this folder. */
async function endLeftovers(dir: string): Promise<void> {
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.pid')))
    await stopDetached(dir, file.slice(0, -'.pid'.length));
}

/** Every service gets ports, started or not: a peer that is down still has an address. */
async function planProcesses(state: StackState, { replicas = {} }: StackOptions): Promise<PlannedProcess[]> {
  const planned: PlannedProcess[] = [];
  for (const service of serviceNames) {
    for (let replica = 1; replica <= (replicas[service] ?? 1); replica++) {
      const name = replica === 1 ? service : `${service}-${replica}`;
      planned.push({ name, service, ports: await state.ports(name, service) });
    }
  }
  return planned;
}

async function startAll(processes: readonly StackProcess[]): Promise<void> {
  processes.forEach((one) => one.start());
  const results = await Promise.allSettled(processes.map(async (one) => await one.ready()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) return;
  await Promise.all(processes.map(stopProcess));
  throw failed.reason;
}

/** Starts the rest of a stack, if there is one and `prepare` still wants it. Its failure is for its awaiter. */
async function startRest(processes: readonly StackProcess[], prepare: () => Promise<boolean>): Promise<void> {
  if (processes.length > 0 && (await prepare())) await startAll(processes);
}

/** What `vdsctl --env <dir>/vdsctl.env` needs to operate this stack. */
function writeOperatorFile(state: StackState, planned: readonly PlannedProcess[]): void {
  const target = (service: ServiceName): string => rpcTarget(planned, service, 'adminRpc');
  const administered = serviceNames.filter((service) => rowOf(service).ports.includes('adminRpc'));
  const lines = [
    ...administered.map((service) => `VDSCTL_${service.toUpperCase()}=${target(service)}`),
    `VDSCTL_TOKEN=${tokensOf(state)[OPERATOR]}`,
    ...(planned.some(({ service }) => service === 'playback')
      ? [`PLAYBACK_PUBLIC_URL=${httpUrl(planned, 'playback')}`]
      : []),
  ];
  writePrivate(join(state.dir, 'vdsctl.env'), `${lines.join('\n')}\n`);
}

function processNamed(processes: readonly StackProcess[], name: string): StackProcess {
  const found = processes.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the stack has no process ${name}`);
  return found;
}

async function stopProcess(one: StackProcess): Promise<Exit> {
  const hard = setTimeout(() => void one.kill('SIGKILL'), 40_000);
  try {
    return await one.kill('SIGTERM');
  } finally {
    clearTimeout(hard);
  }
}
