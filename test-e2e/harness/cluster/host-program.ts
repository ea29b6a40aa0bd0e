/** A third-party program that runs on this host while a test needs it. */
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { until } from '@vds/testkit/until';

export type HostProgram = {
  /** Waits until `check` returns a truthy value. @throws with the end of its log if it exits before */
  readonly ready: (check: () => Promise<unknown>) => Promise<void>;
  readonly close: () => Promise<void>;
};

const ENDS_WITHIN_MS = 20_000;

/**
 * Starts it.
 * @param log file for its output
 */
export function runOnHost(path: string, args: readonly string[], log: string, env = {}): HostProgram {
  const name = basename(path);
  const child = spawn(path, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = createWriteStream(log, { flags: 'a', mode: 0o600 });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(lines, { end: false });
  let exit: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => (exit = error.message));
    child.once('close', (code, signal) => {
      exit ??= `${code ?? signal}`;
      lines.end(resolve);
    });
  });
  return {
    ready: async (check) => {
      const state = async (): Promise<unknown> => (exit === undefined ? check() : 'ended');
      const logTail = (): string => `${name} logged: ${readFileSync(log, 'utf8').slice(-2_000)}`;
      const seen = await until(state, { capMs: 120_000, everyMs: 250, what: name }).catch((error: Error) => {
        throw new Error(`${error.message}\n${logTail()}`, { cause: error });
      });
      if (seen === 'ended') throw new Error(`${name} ended with ${exit}\n${logTail()}`);
    },
    close: async () => {
      const last = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
      child.kill();
      await ended;
      clearTimeout(last);
    },
  };
}
