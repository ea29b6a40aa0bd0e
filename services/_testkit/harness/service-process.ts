/** One process of a service, started as an operator starts it, inheriting nothing but PATH. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { until } from '../until.ts';

export type LogLine = Readonly<Record<string, unknown>>;

export type ServiceProcess = {
  readonly process: ChildProcess;
  /** Its complete output. */
  readonly output: () => string;
  /** Its log so far; a line of stdout that is not JSON fails the running test. */
  readonly lines: readonly LogLine[];
  /** Waits for the log line with this message. @throws Error with the output if the process exits before */
  readonly logged: (message: string) => Promise<LogLine>;
  /** Its exit code; null after a signal. */
  readonly exited: Promise<number | null>;
  /** Sends the signal, SIGTERM by default, and waits for the exit. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/** Still running: leftovers of a failed test must not outlive the run. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts a process without waiting for it.
 * @param service folder of the service
 */
export function spawnService(service: URL, env: Readonly<Record<string, string>>): ServiceProcess {
  const cwd = fileURLToPath(service);
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd,
    // The cache of compiled code saves each start a third of its processor time.
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  // `close` comes after the last of its output, `exit` may come before.
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  let output = '';
  const lines: LogLine[] = [];
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const whole = (rest + text).split('\n');
    rest = whole.pop() ?? '';
    lines.push(...whole.map((line) => JSON.parse(line) as LogLine));
  });
  const logged = async (message: string): Promise<LogLine> => {
    const find = () => lines.find(({ msg }) => msg === message);
    const ended = () => child.exitCode !== null || child.signalCode !== null;
    await until(() => find() !== undefined || ended(), { what: `the log says '${message}'` });
    const line = find();
    if (line === undefined) throw new Error(`the service ended: ${output}`);
    return line;
  };
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return { process: child, output: () => output, lines, logged, exited, stop };
}

/** Starts a process and waits until it is ready; one that never becomes ready is killed. */
export async function startService(service: URL, env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const started = spawnService(service, env);
  try {
    await started.logged('ready');
  } catch (error) {
    await started.stop('SIGKILL');
    throw error;
  }
  return started;
}
