/** Programs that outlive the command that started them: one pid file and one log each, never started twice, stopped by pid alone. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';
import { writePrivate } from './settings.ts';

type PidFile = { pid: number; born: string | null };

/** The user a program runs as, where that is not ours (only root may choose). */
export type User = { uid: number; gid: number };

export type Start = { dir: string; name: string; command: string; args: string[]; env: NodeJS.ProcessEnv; user?: User };

/** Starts the program in a process group of its own with its output in `<dir>/<name>.log`, unless it runs; returns its pid. */
export function startDetached({ dir, name, command, args, env, user }: Start): number {
  const running = runningPid(dir, name);
  if (running !== null) return running;
  const log = openSync(join(dir, `${name}.log`), 'a', 0o600);
  const child = spawn(command, args, { ...user, cwd: '/', env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.once('error', () => undefined); // told below, by the missing pid
  if (child.pid === undefined) throw new Error(`${command} cannot be started`);
  writePrivate(join(dir, `${name}.pid`), JSON.stringify({ pid: child.pid, born: born(child.pid) } satisfies PidFile));
  child.unref();
  return child.pid;
}

/** Pid of the running program `name` of this folder; null where it does not run. A reused pid is told apart by its birth. */
export function runningPid(dir: string, name: string): number | null {
  const file = join(dir, `${name}.pid`);
  if (!existsSync(file)) return null;
  const { pid, born: then } = JSON.parse(readFileSync(file, 'utf8')) as PidFile;
  return then !== null && born(pid) === then ? pid : null;
}

/** When the process was born, as an opaque text; null where it does not live. A zombie does not live. */
export function born(pid: number): string | null {
  if (process.platform === 'linux') {
    const found = linuxProcess(pid);
    return found === null || found.state === 'Z' || found.state === 'X' ? null : found.born;
  }
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = ps.stdout.trim();
  return ps.status !== 0 || line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '');
}

/** Fields of /proc/<pid>/stat after the command: state first, the start time is the twentieth. */
function linuxProcess(pid: number): { state: string; born: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', born: fields[19] ?? '' };
  } catch {
    return null; // gone
  }
}

/** Waits until `isReady` says so; throws with the end of the log when the program dies or needs more than a minute. */
export async function untilReady(dir: string, name: string, isReady: () => Promise<boolean>): Promise<void> {
  const seen = await until(
    async () => {
      if (runningPid(dir, name) === null) return 'dead';
      return (await isReady()) ? 'ready' : false;
    },
    { what: `${name} is ready (log: ${join(dir, `${name}.log`)})`, capMs: 60_000, everyMs: 25 },
  );
  if (seen === 'dead') throw new Error(`${name} did not start: ${logTail(dir, name)}`);
}

/** The end of a program's log, for error messages. */
export function logTail(dir: string, name: string): string {
  const file = join(dir, `${name}.log`);
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-1500).trim() : '(no log)';
}

/** Whether the URL answers 200 within two seconds. */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false; // not yet
  }
}

/** Stops the program (SIGTERM, after ten seconds SIGKILL; or the signal named) and waits for its end; nothing happens where it does not run. */
export async function stopDetached(dir: string, name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<boolean> {
  const pid = runningPid(dir, name);
  if (pid !== null) {
    process.kill(pid, signal);
    const gone = async (capMs: number) =>
      await until(() => runningPid(dir, name) === null, {
        what: `the end of ${name} (pid ${pid})`,
        capMs,
        everyMs: 10,
      });
    try {
      await gone(10_000);
    } catch {
      process.kill(pid, 'SIGKILL'); // asked long enough
      await gone(5_000);
    }
  }
  rmSync(join(dir, `${name}.pid`), { force: true });
  return pid !== null;
}
