/**
 * What a command starts: services, servers and programs that would outlive it. Its folder, which the environment names
 * to the suites it runs, has a record of each; its end ends them all, and `npm run servers -- down` those of a killed
 * command.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@vds/chassis/errors';
import { until } from '../until.ts';
import { born, descendants, startedWith } from './process-table.ts';
import { writePrivate } from './settings.ts';
import { stateFolder } from './state-folder.ts';

/** `server`: others depend on it, so it ends after them. `group`: the leader of a process group, which ends as one. */
type Kind = 'server' | 'service' | 'group';
type Running = { readonly pid: number; readonly born: string };
type Owned = Running & { readonly name: string; readonly kind: Kind; readonly signal: NodeJS.Signals };
/** `spared`: the pid of a server that ran before the command, which may start it again and leaves it running. */
type Entry = Owned | { readonly spared: number };
type Place = { readonly dir: string; readonly name: string };

const VARIABLE = 'VDS_OWNED_PROCESSES';
/** A service may finish its jobs' releases; PostgreSQL may write a checkpoint. */
const SERVICES_MS = 40_000;
const SERVERS_MS = 20_000;

let isEnding = false;

/** The command's own record, next to those of what it started. */
const OWNER = 'command.json';

/** Makes this process a command: everything that it and its suites start from now on is recorded. Returns the folder. */
export function openOwned(command: string): string {
  const folder = stateFolder('commands', `${command}-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writePrivate(join(folder, OWNER), JSON.stringify({ pid: process.pid, born: born(process.pid) }));
  process.env[VARIABLE] = folder;
  return folder;
}

/** Throws while the command ends: what started now would be left. */
export function assertMayStart(): void {
  if (isEnding) throw new Error('this command is ending and starts nothing more');
}

/** The environment of a started process: it identifies the process even if it could not be recorded. */
export function ownedEnvironment(): NodeJS.ProcessEnv {
  const folder = process.env[VARIABLE];
  return folder === undefined ? {} : { [VARIABLE]: folder };
}

/** Records a started process; does nothing outside of commands, such as in `servers -- up`. */
export function noteOwned(place: Place, pid: number, kind: Kind, signal: NodeJS.Signals = 'SIGTERM'): void {
  const folder = process.env[VARIABLE];
  if (folder === undefined || !existsSync(folder)) return;
  if (isSpared(folder, place)) return writeEntry(folder, place, { spared: pid });
  const birth = born(pid);
  if (birth === null) return;
  writeEntry(folder, place, { pid, born: birth, name: place.name, kind, signal });
}

/** Leaves a server that another command started to that one, also when this one starts it again. */
export function spareRunning(place: Place, pid: number): void {
  const folder = process.env[VARIABLE];
  if (folder === undefined || !existsSync(folder)) return;
  if (!recordsOf(folder).some((one) => one.pid === pid)) writeEntry(folder, place, { spared: pid });
}

function isSpared(folder: string, place: Place): boolean {
  const file = fileOf(folder, place);
  return existsSync(file) && 'spared' in (JSON.parse(readFileSync(file, 'utf8')) as Entry);
}

function writeEntry(folder: string, place: Place, entry: Entry): void {
  writeFileSync(fileOf(folder, place), JSON.stringify(entry), { mode: 0o600 });
}

function fileOf(folder: string, { dir, name }: Place): string {
  return join(folder, `${createHash('sha256').update(join(dir, name)).digest('hex').slice(0, 16)}.json`);
}

/** The recorded processes that run. */
function recordsOf(folder: string): Owned[] {
  return entriesOf(folder).flatMap((entry) => ('spared' in entry || !runs(entry) ? [] : [entry]));
}

function entriesOf(folder: string): Entry[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file !== OWNER)
    .flatMap((file) => {
      try {
        return [JSON.parse(readFileSync(join(folder, file), 'utf8')) as Entry];
      } catch {
        return []; // another process is writing it
      }
    });
}

function runs({ pid, born: birth }: Running): boolean {
  return born(pid) === birth;
}

/**
 * Ends everything that this command started and that still runs, including child processes: first services and
 * programs, then the servers they use. Removes the folder. Returns the names of what it ended.
 */
export async function endOwned(folder: string): Promise<string[]> {
  isEnding = true;
  const ended = await endRecorded(folder, () => descendantsOf(folder));
  rmSync(folder, { recursive: true, force: true });
  return ended;
}

/** Kills it at once, for the end of the process itself; does nothing after `endOwned`. */
export function killOwned(folder: string): void {
  if (!existsSync(folder)) return;
  const { all } = descendantsOf(folder);
  for (const one of [...all, ...recordsOf(folder)]) send(targetOf(one), 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

/** Ends what killed commands left. Returns the names of what it ended, by command. */
export async function endAbandoned(): Promise<Readonly<Record<string, string[]>>> {
  const commands = stateFolder('commands');
  if (!existsSync(commands)) return {};
  const ended: Record<string, string[]> = {};
  for (const command of readdirSync(commands)) {
    const folder = join(commands, command);
    if (isOpen(folder)) continue;
    const names = await endRecorded(folder, () => ({ children: [], all: [] }));
    rmSync(folder, { recursive: true, force: true });
    if (names.length > 0) ended[command] = names;
  }
  return ended;
}

function isOpen(folder: string): boolean {
  const file = join(folder, OWNER);
  return existsSync(file) && runs(JSON.parse(readFileSync(file, 'utf8')) as Running);
}

type Tree = { readonly children: readonly Running[]; readonly all: readonly Running[] };

/** Descendants of this process, except the servers, which end last or not at all, and their processes. */
function descendantsOf(folder: string): Tree {
  const servers = recordsOf(folder).filter(({ kind }) => kind === 'server');
  const spared = entriesOf(folder).flatMap((entry) => ('spared' in entry ? [entry.spared] : []));
  const { children, all } = descendants(process.pid, new Set([...servers.map(({ pid }) => pid), ...spared]));
  return { children: runningOf(children), all: runningOf(all) };
}

async function endRecorded(folder: string, tree: () => Tree): Promise<string[]> {
  const names = new Set<string>();
  const note = (records: readonly Owned[]): readonly Owned[] => {
    for (const { name } of records) names.add(name);
    return records;
  };
  const { children, all } = tree();
  const dependents = note(recordsOf(folder).filter(({ kind }) => kind !== 'server'));
  for (const one of dependents) send(targetOf(one), 'SIGTERM');
  for (const { pid } of children) send(pid, 'SIGTERM');
  await untilGone([...dependents, ...all], SERVICES_MS);
  // Read again: a suite may have started one until its own end.
  const rest = note(recordsOf(folder).filter(({ kind }) => kind !== 'server'));
  await untilGone([...rest, ...tree().all], 0);
  const servers = note(recordsOf(folder));
  for (const { pid, signal } of servers) send(pid, signal);
  await untilGone(servers, SERVERS_MS);
  await untilGone(unrecordedOf(folder), 0);
  return [...names];
}

/** What a process started and was killed before it could record. */
function unrecordedOf(folder: string): Running[] {
  const spared = new Set(entriesOf(folder).flatMap((entry) => ('spared' in entry ? [entry.spared] : [])));
  return runningOf(startedWith(VARIABLE, folder).filter((pid) => pid !== process.pid && !spared.has(pid)));
}

function runningOf(pids: readonly number[]): Running[] {
  return pids.flatMap((pid) => {
    const birth = born(pid);
    return birth === null ? [] : [{ pid, born: birth }];
  });
}

/** Waits for their end, and kills what is left after the time. */
async function untilGone(processes: readonly Running[], capMs: number): Promise<void> {
  const gone = (): boolean => !processes.some(runs);
  const wait = (ms: number) => until(gone, { what: 'the end of the started processes', capMs: ms, everyMs: 20 });
  try {
    if (!gone()) await wait(capMs);
  } catch {
    for (const one of processes.filter(runs)) send(targetOf(one), 'SIGKILL'); // it ignored the signal
    // One that cannot be ended, such as another user's, must not keep the others.
    await wait(10_000).catch(() => undefined);
  }
}

/** Its process group if it leads a recorded one. */
function targetOf(one: Running | Owned): number {
  return 'kind' in one && one.kind === 'group' ? -one.pid : one.pid;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // EPERM: a process that a setuid program, such as sudo, runs as another user.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw new Error(`process ${pid}: ${messageOf(error)}`);
  }
}
