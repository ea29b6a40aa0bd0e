/** One service process of the stack: started as a child, killed, restarted, and stopped gracefully. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@vds/chassis/errors';
import { until } from '../until.ts';
import { assertMayStart, noteOwned } from '../servers/owned-processes.ts';
import { born } from '../servers/process-table.ts';
import { print } from '../servers/progress.ts';
import type { Environment, PlannedProcess } from './environment.ts';
import type { Ports } from './state.ts';
import type { ServiceName } from '@vds/deploy-tools/services';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** How a process ended: its exit code, or the signal that ended it. */
export type Exit = number | NodeJS.Signals;

export type StackProcess = {
  readonly name: string;
  readonly service: ServiceName;
  readonly ports: Ports;
  /** `http://127.0.0.1:<port>` of the HTTP endpoint; undefined if it has none. */
  readonly url: string | undefined;
  /** Health and metrics. */
  readonly adminUrl: string;
  readonly logFile: string;
  /** undefined while it does not run. */
  readonly pid: () => number | undefined;
  /** Sends the signal (SIGKILL by default) and waits for the exit; returns the earlier result if it does not run. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<Exit>;
  /** Stops it by SIGTERM if it runs, starts it with the same environment and ports, and waits until it is ready. */
  readonly restart: () => Promise<void>;
  /** Starts it if it does not run, with further variables for this one run; returns at once. */
  readonly start: (extra?: Environment) => void;
  /** Null while it runs or was stopped on request; else how it ended, with the end of its log. */
  readonly crash: () => string | null;
  /** Waits until `/readyz` returns 200; throws with the end of the log if the process exits before. */
  readonly ready: (capMs?: number) => Promise<void>;
};

export type Line = (process: string, line: string) => void;

/** Nine services that start together on a busy machine take longer than a minute. */
const READY_CAP_MS = 180_000;
const REPORT_MS = 15_000;

type Running = { readonly child: ChildProcess; readonly ended: Promise<Exit> };

/** Describes the process; nothing runs before `start`. */
export function stackProcess(dir: string, planned: PlannedProcess, env: Environment, onLine?: Line): StackProcess {
  const { name, service, ports } = planned;
  const logs = join(dir, 'logs');
  const logFile = join(logs, `${name}.log`);
  const adminUrl = `http://127.0.0.1:${ports.admin}`;
  let running: Running | null = null;
  let last: Exit = 0;
  let stopped = true;
  mkdirSync(logs, { recursive: true, mode: 0o700 });

  const start = (extra: Environment = {}): void => {
    if (running !== null) return;
    assertMayStart();
    const started = spawnService(dir, planned, { ...env, ...extra }, logFile, onLine);
    running = started;
    stopped = false;
    void started.ended.then((exit) => {
      last = exit;
      if (running === started) running = null;
    });
  };
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> => {
    const target = running;
    if (target === null) return last;
    stopped = true;
    target.child.kill(signal);
    return await target.ended;
  };
  const crash = (): string | null => {
    if (running !== null || stopped) return null;
    const log = readFileSync(logFile, 'utf8').trimEnd();
    return `${name} ended with ${last}: ${log.slice(log.lastIndexOf('\n') + 1)}\n${log.slice(-1500)}`;
  };
  const ready = async (capMs = READY_CAP_MS): Promise<void> => {
    let missing = 'it has not answered yet';
    const state = async (): Promise<'ended' | 'ready'> => {
      if (running === null) return 'ended';
      missing = await missingIn(adminUrl);
      if (missing === '') return 'ready';
      throw new Error(missing);
    };
    const report = setInterval(() => print(`… ${name} is not ready yet: ${missing}`), REPORT_MS);
    const what = `${name} is ready (log: ${logFile})`;
    const seen = await until(state, { what, capMs, everyMs: 50 }).finally(() => clearInterval(report));
    if (seen === 'ended') throw new Error(`never ready: ${crash() ?? `${name} was ended`}`);
  };
  const restart = async (): Promise<void> => {
    await kill('SIGTERM');
    start();
    await ready();
  };
  const url = ports.http === undefined ? undefined : `http://127.0.0.1:${ports.http}`;
  const pid = (): number | undefined => running?.child.pid;
  return { name, service, ports, url, adminUrl, logFile, pid, kill, restart, start, crash, ready };
}

/** Starts the service; every line that it prints goes to its log file and to `onLine`. */
function spawnService(dir: string, planned: PlannedProcess, env: Environment, logFile: string, onLine?: Line): Running {
  const { name, service } = planned;
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
  const args = ['--enable-source-maps', join('services', service, 'src', 'main.ts')];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  note(dir, name, child);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      onLine?.(name, line);
    });
  }
  const ended = new Promise<Exit>((resolve) => {
    child.once('error', (error) => log.write(`${String(error)}\n`));
    child.once('close', (code, signal) => {
      rmSync(join(dir, `${name}.pid`), { force: true });
      log.end(() => resolve(code ?? signal ?? 1));
    });
  });
  return { child, ended };
}

/**
 * Stores the pid of a running child in a file, so that the next stack in this folder can stop processes of a killed
 * one.
 */
function note(dir: string, name: string, child: ChildProcess): void {
  if (child.pid === undefined) return;
  writeFileSync(join(dir, `${name}.pid`), JSON.stringify({ pid: child.pid, born: born(child.pid) }), { mode: 0o600 });
  noteOwned({ dir, name }, child.pid, 'service');
}

/** Why a process is not ready, such as its failing checks; '' once it is. */
async function missingIn(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000) });
    const body = await response.text();
    return response.status === 200 ? '' : body.trim();
  } catch (error) {
    return `${url}/readyz does not answer (${messageOf(error)})`;
  }
}
