/**
 * Programs that outlive the command that started them: one pid file and one log each, never started twice, stopped only
 * by pid.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';
import { assertMayStart, noteOwned, ownedEnvironment } from './owned-processes.ts';
import { born } from './process-table.ts';
import { writePrivate } from './settings.ts';

type PidFile = { pid: number; born: string | null };

/** The user that the program runs as, if not the current one (only root can choose). */
export type User = { uid: number; gid: number };

export type Start = {
  dir: string;
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  user?: User;
  /** What ends it with its clients connected; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
};

/**
 * Starts the program in its own process group, with its output in `<dir>/<name>.log`, unless it runs; returns its pid.
 */
export function startDetached({ dir, name, command, args, env, user, stopSignal }: Start): number {
  const running = runningPid(dir, name);
  if (running !== null) return running;
  assertMayStart();
  const log = openSync(join(dir, `${name}.log`), 'a', 0o600);
  const owned = { ...env, ...ownedEnvironment() };
  const child = spawn(command, args, { ...user, cwd: '/', env: owned, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.once('error', () => undefined); // reported below, by the missing pid
  if (child.pid === undefined) throw new Error(`${command} cannot be started`);
  writePrivate(join(dir, `${name}.pid`), JSON.stringify({ pid: child.pid, born: born(child.pid) } satisfies PidFile));
  noteOwned({ dir, name }, child.pid, 'server', stopSignal);
  child.unref();
  return child.pid;
}

/** Pid of the running program `name` of this folder; null if it does not run. The start time detects a reused pid. */
export function runningPid(dir: string, name: string): number | null {
  const file = join(dir, `${name}.pid`);
  if (!existsSync(file)) return null;
  const { pid, born: then } = JSON.parse(readFileSync(file, 'utf8')) as PidFile;
  return then !== null && born(pid) === then ? pid : null;
}

/**
 * Waits until `isReady` returns true; throws with the end of the log if the program exits or takes more than three minutes.
 */
export async function untilReady(dir: string, name: string, isReady: () => Promise<boolean>): Promise<void> {
  const seen = await until(
    async () => {
      if (runningPid(dir, name) === null) return 'dead';
      return (await isReady()) ? 'ready' : false;
    },
    { what: `${name} is ready (log: ${join(dir, `${name}.log`)})`, capMs: 180_000, everyMs: 25 },
  );
  if (seen === 'dead') throw new Error(`${name} did not start: ${logTail(dir, name)}`);
}

/** The end of a program's log, for error messages. */
export function logTail(dir: string, name: string): string {
  const file = join(dir, `${name}.log`);
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-1500).trim() : '(no log)';
}

/** Whether the URL responds with 200 within two seconds. */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false; // not yet
  }
}

/**
 * Stops the program (SIGTERM, after ten seconds SIGKILL; or the given signal) and waits for its exit; does nothing if
 * it does not run.
 */
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
      process.kill(pid, 'SIGKILL'); // it ignored SIGTERM
      await gone(5_000);
    }
  }
  rmSync(join(dir, `${name}.pid`), { force: true });
  return pid !== null;
}
