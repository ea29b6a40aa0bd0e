/** The service itself, as a process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from '@vds/testkit/until';

export const ROOM = new URL('../../', import.meta.url);

export type Ingest = {
  readonly process: ChildProcess;
  /** What it logged so far. */
  readonly lines: readonly string[];
  readonly adminPort: number;
  /** Its exit code; null after a signal. */
  readonly exited: Promise<number | null>;
};

/** Settings that make contract times short, but not so short that a busy machine runs into them. */
export const SHORT_TIMES = {
  CONNECT_TIMEOUT: '5s',
  TLS_TIMEOUT: '5s',
  DNS_TIMEOUT: '5s',
  HEADERS_TIMEOUT: '10s',
  IDLE_TIMEOUT: '10s',
  RETRY_DELAYS: '20ms,30ms,40ms,50ms,60ms',
  WORK_POLL: '200ms',
  LEASE: '2s',
  LEASE_RENEWAL: '500ms',
  PROGRESS_EVERY: '50ms',
};

/** Deadlines of a source that the tests of bad sources wait for. */
export const SHORT_DEADLINES = {
  HEADERS_TIMEOUT: '1s',
  IDLE_TIMEOUT: '1s',
  MIN_RATE: '10000',
  MIN_RATE_WINDOW: '1s',
  TOTAL_TIMEOUT: '14s',
};

/** Resolves once it serves. */
export async function startIngest(environment: Readonly<Record<string, string>>): Promise<Ingest> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: fileURLToPath(ROOM),
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      process.off('exit', killWithUs);
      resolve(code);
    }),
  );
  const isUp = () => (child.exitCode === null ? lines.find((line) => line.includes('"msg":"ready"')) : 'dead');
  const ready = await until(isUp, { what: 'ingest is up' });
  if (ready === 'dead') throw new Error(`ingest did not start: ${lines.join('\n')}`);
  return { process: child, lines, exited, adminPort: (JSON.parse(ready) as { admin_port: number }).admin_port };
}
