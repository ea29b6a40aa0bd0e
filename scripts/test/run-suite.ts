/** Runs one suite in its own mocha process and reads its report. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteOwned } from '@vds/testkit/servers/owned-processes';
import type { TestResult } from './reporter.ts';
import type { Suite } from './suites.ts';

export type SuiteResult = { name: string; seconds: number; tests: TestResult[] };
export type Limits = {
  /** Timeout of the suite in milliseconds. */
  capMs: number;
  /** Longest wait for the process's exit after its last test, in milliseconds. */
  lingerMs: number;
  /** Only tests whose titles match. */
  grep?: string | undefined;
  /** When the suite's output is shown: as it arrives (the default), at once after its end, or never. */
  print?: 'live' | 'whole' | 'never';
};

const MOCHA = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url));
const REPORTER = fileURLToPath(new URL('./reporter.ts', import.meta.url));

const streams = { live: ['inherit', 'inherit'], whole: ['pipe', 'pipe'], never: ['ignore', 'ignore'] } as const;

/**
 * Runs the suite. Counts one more failure when its process crashes without a report, exits with an error although every
 * test passed, times out, or does not exit after its last test because something was left open.
 */
export async function runSuite(
  suite: Suite,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  limits: Limits,
): Promise<SuiteResult> {
  const from = performance.now();
  const dir = mkdtempSync(join(tmpdir(), 'test-report-'));
  const file = join(dir, 'report.json');
  const timeoutMs = env['VDS_LONG'] === '1' ? '300000' : '20000';
  const options = ['--forbid-only', '--reporter', REPORTER, '--timeout', timeoutMs];
  if (limits.grep !== undefined) options.push('--grep', limits.grep);
  const child = spawn(process.execPath, ['--enable-source-maps', MOCHA, ...options, ...suite.files], {
    cwd: suite.cwd,
    env: { ...env, VDS_TEST_REPORT: file },
    stdio: ['ignore', ...streams[limits.print ?? 'live']],
    detached: true,
  });
  if (child.pid !== undefined) noteOwned({ dir, name: suite.name }, child.pid, 'group');
  const printed = captureOutput(child);
  let killedFor: string | null = null;
  const kill = (why: string): void => {
    killedFor ??= why;
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const abort = (): void => kill('interrupted');
  signal.addEventListener('abort', abort, { once: true });
  let reportSince: number | null = null;
  const watch = setInterval(() => {
    const now = performance.now();
    if (existsSync(file)) reportSince ??= now;
    if (reportSince !== null && now - reportSince > limits.lingerMs) {
      kill(`its process did not end within ${limits.lingerMs / 1000} s after the last test: something was left open`);
    } else if (now - from > limits.capMs) kill(`it did not end within ${limits.capMs / 1000} s`);
  }, 100);
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(String(error)));
    child.once('exit', (exit, by) => resolve(exit ?? by ?? 'an unknown end'));
  });
  clearInterval(watch);
  signal.removeEventListener('abort', abort);
  if (child.pid !== undefined) killGroup(child.pid);

  const tests: TestResult[] = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestResult[]) : [];
  const failed = tests.some(({ state }) => state === 'failed');
  if (killedFor !== null) tests.push(trouble(suite, killedFor));
  else if (!existsSync(file)) tests.push(trouble(suite, `its process ended with ${code} before it could report`));
  else if (code !== 0 && !failed) tests.push(trouble(suite, `its process ended with ${code} although no test failed`));
  rmSync(dir, { recursive: true, force: true });
  process.stdout.write(Buffer.concat(printed));
  return { name: suite.name, seconds: (performance.now() - from) / 1000, tests };
}

/** Forwards the process's output as it arrives. */
function captureOutput({ stdout, stderr }: ChildProcess): Buffer[] {
  const printed: Buffer[] = [];
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  return printed;
}

/** Kills the process group of a suite, so that nothing it started keeps running. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // gone already
  }
}

function trouble(suite: Suite, error: string): TestResult {
  return {
    title: `the suite ${suite.name} itself`,
    state: 'failed',
    ms: 0,
    error,
  };
}
