/** Makes the planned faults, one after the other, and undoes each. */
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { print } from '@vds/testkit/servers/progress';
import type { Stack } from '@vds/testkit/stack/start-stack';
import type { History } from './history.ts';
import type { FaultKind, PlannedFault } from './plan-faults.ts';
import { mutable, type RunServers, type ServerName } from './servers.ts';
import { deleteConsumers } from '@vds/testkit/stack/stream-admin';

export type NemesisDeps = {
  readonly stack: Stack;
  /** The servers themselves, not the proxies before them. */
  readonly direct: Servers;
  readonly servers: RunServers;
  readonly history: History;
  /** A small file system that holds the scratch folders of transcode; undefined: there is none. */
  readonly scratch: string | undefined;
  /** Ends a fault early: the run is interrupted. */
  readonly interrupted: AbortSignal;
};

type Make = (deps: NemesisDeps, fault: PlannedFault) => Promise<string>;

const makers: Readonly<Record<FaultKind, Make>> = {
  kill: killProcess,
  pause: pauseProcess,
  postgres: restartServer,
  nats: restartServer,
  s3: restartServer,
  opensearch: restartServer,
  'wipe-jetstream': async ({ servers }) => {
    await servers.wipeJetStream();
    return 'everything';
  },
  'roll-back-jetstream': async (deps, fault) => {
    const restore = await deps.servers.copyJetStream();
    await last(deps, fault.forMs);
    await restore();
    return `by ${fault.forMs} ms`;
  },
  'delete-consumers': async ({ direct, stack }) => (await deleteConsumers(direct, stack.name)).join(' '),
  mute: muteConnections,
  'fill-disk': fillDisk,
  'move-clock': moveClock,
};

/** Why this machine cannot make some kinds of faults. */
export function missingFaults(scratch: string | undefined): Partial<Record<FaultKind, string>> {
  return {
    ...(scratch === undefined && { 'fill-disk': 'only root can mount a small file system' }),
    ...(fakeTimeLibrary() === undefined && { 'move-clock': 'libfaketime is not installed (Debian: libfaketime)' }),
  };
}

/** Path of libfaketime, undefined if it is not installed. */
function fakeTimeLibrary(): string | undefined {
  return globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];
}

/** Makes every planned fault at its time, until `stop`. */
export async function runNemesis(
  deps: NemesisDeps,
  planned: readonly PlannedFault[],
  stop: AbortSignal,
): Promise<void> {
  const { history } = deps;
  for (const fault of planned) {
    const waitMs = fault.atMs - history.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined); // the run is over
    if (stop.aborted) return;
    const fromMs = history.now();
    const detail = await makers[fault.kind](deps, fault);
    history.add({ kind: 'fault', fault: fault.kind, detail, fromMs, toMs: history.now() });
    print(
      `${(fromMs / 1_000).toFixed(1)} s: ${fault.kind} (${detail}) for ${((history.now() - fromMs) / 1_000).toFixed(1)} s`,
    );
  }
}

function candidate<T>(list: readonly T[], { target }: PlannedFault): T {
  const found = list[target % list.length];
  if (found === undefined) throw new Error('there is nothing to disturb');
  return found;
}

async function killProcess(deps: NemesisDeps, fault: PlannedFault): Promise<string> {
  const victim = candidate(deps.stack.processes, fault);
  await victim.kill('SIGKILL');
  await last(deps, fault.forMs);
  victim.start();
  return victim.name;
}

async function pauseProcess(deps: NemesisDeps, fault: PlannedFault): Promise<string> {
  const victim = candidate(deps.stack.processes, fault);
  const pid = victim.pid();
  if (pid === undefined) return `${victim.name} does not run`;
  process.kill(pid, 'SIGSTOP');
  await last(deps, fault.forMs);
  process.kill(pid, 'SIGCONT');
  return victim.name;
}

async function restartServer(deps: NemesisDeps, { kind, forMs }: PlannedFault): Promise<string> {
  const name = kind as ServerName;
  await deps.servers.kill(name);
  await last(deps, forMs);
  await deps.servers.start(name);
  return 'killed and started again';
}

/** The time of a fault, at most until the run is interrupted. */
async function last({ interrupted }: NemesisDeps, forMs: number): Promise<void> {
  await sleep(forMs, undefined, { signal: interrupted }).catch(() => undefined); // undone at once, then
}

/** Connections open then stay silent forever; new ones work again afterwards. */
async function muteConnections(deps: NemesisDeps, fault: PlannedFault): Promise<string> {
  const name = candidate(mutable, fault);
  deps.servers.proxies[name].dropResponses();
  await last(deps, fault.forMs);
  deps.servers.proxies[name].passNewConnections();
  return `to ${name}`;
}

async function fillDisk(deps: NemesisDeps, { forMs }: PlannedFault): Promise<string> {
  const { scratch } = deps;
  if (scratch === undefined) return 'there is no small file system';
  const file = join(scratch, 'ballast');
  const block = Buffer.alloc(1 << 20);
  try {
    for (;;) writeFileSync(file, block, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error; // full, as intended
  }
  await last(deps, forMs);
  rmSync(file, { force: true });
  return 'scratch folders of transcode';
}

/** One replica runs with a clock that jumps ahead, then back, and then with the right one again. */
async function moveClock(deps: NemesisDeps, fault: PlannedFault): Promise<string> {
  const { stack } = deps;
  const library = fakeTimeLibrary();
  if (library === undefined) return 'there is no libfaketime';
  const victim = candidate(stack.processes, fault);
  const file = join(stack.dir, 'clock');
  const set = (offset: string): void => writeFileSync(file, offset);
  set('+0');
  await victim.kill('SIGTERM');
  victim.start({
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  for (const offset of ['+600', '-600']) {
    set(offset);
    await last(deps, fault.forMs / 2);
  }
  // Its timers are not to be trusted with an orderly end.
  await victim.kill('SIGKILL');
  victim.start();
  return `${victim.name}: 10 min ahead, then 10 min behind`;
}

/** Undoes what an interrupted fault has left: servers, connections, disk and processes. */
export async function heal({ stack, servers, scratch }: NemesisDeps): Promise<void> {
  await servers.heal();
  if (scratch !== undefined && existsSync(join(scratch, 'ballast'))) rmSync(join(scratch, 'ballast'));
  for (const one of stack.processes) one.start();
  await Promise.all(stack.processes.map((one) => one.ready()));
}
