/**
 * Runs programs on untrusted files: no shell, a cleared environment, a scratch folder, no network if the kernel has
 * namespaces, limits on time and memory, and an end when the caller's signal aborts.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { AppError, messageOf } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';

const execute = promisify(execFile);

/** `namespaces`: bubblewrap without network; `limits`: only resource limits and a cleared environment. */
export type Sandbox = 'namespaces' | 'limits';

export type ChildOptions = {
  /** Absolute path of the program. */
  readonly command: string;
  /** Relative paths are relative to `scratch`. */
  readonly args: readonly string[];
  /** The working directory, and the only folder that the child may write. */
  readonly scratch: string;
  /** Absolute paths that the child may read beside /usr and /opt. */
  readonly readable?: readonly string[];
  readonly sandbox: Sandbox;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Address space, in bytes. */
  readonly memoryBytes?: number;
  /** 0 to 19, as of nice(1); 5 by default. */
  readonly niceness?: number;
  /** Reads standard output as a stream; by default up to 8 MiB are returned. */
  readonly onOutput?: (stdout: Readable) => Promise<void>;
  /** Readers of descriptors 3, 4 and so on; a slow reader slows the child down. */
  readonly pipes?: readonly ((stream: Readable) => Promise<void>)[];
};

export type ChildResult = {
  readonly code: number;
  readonly stdout: string;
  /** The last 16 KiB, for internal logs only. */
  readonly stderrTail: string;
};

/** The worker itself comes before its children: it renews their leases and answers probes. */
const NICENESS = 5;

type Exit = { readonly code: number | null; readonly signal: string | null };

/** Determines at startup which sandbox this machine supports, and reports its level as a metric of the service. */
export async function chooseSandbox(metrics?: Metrics): Promise<Sandbox> {
  const sandbox = await strongestSandbox();
  metrics
    ?.gauge('vds_sandbox_level', 'How child programs are sandboxed: 2 namespaces, 1 limits alone', [])
    .set(sandbox === 'namespaces' ? 2 : 1);
  return sandbox;
}

async function strongestSandbox(): Promise<Sandbox> {
  const scratch = await mkdtemp(join(tmpdir(), 'vds-sandbox-'));
  try {
    const [command, ...args] = [...bubblewrap(scratch), '/usr/bin/env', 'true'];
    await execute(command, args, { timeout: 10_000 });
    return 'namespaces';
  } catch {
    // No bubblewrap, or no user namespaces.
    return 'limits';
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** System folders read-only, an empty /tmp, and the scratch folder: nothing else is visible. */
function bubblewrap(scratch: string): string[] {
  const ifPresent = ['/opt', '/etc/alternatives', '/etc/fonts', '/etc/ld.so.cache'];
  return [
    ...['bwrap', '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/usr', '/usr'],
    ...ifPresent.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['lib', 'lib64', 'bin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--bind', scratch, '/scratch', '--chdir', '/scratch'],
  ];
}

/**
 * Runs a program to completion and returns its exit code.
 * @throws AppError DEADLINE_EXCEEDED after `timeoutMs`; the signal's own reason when it aborts; INTERNAL when the program
 * cannot be started or was killed
 */
export async function runChild(options: ChildOptions): Promise<ChildResult> {
  const [command = '', ...args] = await sandboxed(options);
  // Nothing may be awaited from here to the listener, or an abort in between would be missed.
  options.signal.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const end = AbortSignal.any([options.signal, timeout]);
  const child = start(options, command, args);
  const kill = (): void => killGroup(child);
  end.addEventListener('abort', kill, { once: true });
  try {
    const [read, { code, signal }] = await Promise.all([readAll(child, options), exitOf(child, options.command)]);
    options.signal.throwIfAborted();
    if (timeout.aborted)
      throw new AppError('DEADLINE_EXCEEDED', `${options.command} did not end within ${options.timeoutMs} ms`);
    if (code === null)
      throw new AppError('INTERNAL', `${options.command} was killed by ${signal}`, { reason: 'program_killed' });
    return { code, ...read };
  } catch (error) {
    // A reader that failed because the child was killed must not hide why it was killed.
    options.signal.throwIfAborted();
    throw error;
  } finally {
    end.removeEventListener('abort', kill);
    kill();
  }
}

async function sandboxed(options: ChildOptions): Promise<string[]> {
  const memory = options.memoryBytes === undefined ? [] : [`--as=${options.memoryBytes}`];
  const nice = ['nice', '-n', String(options.niceness ?? NICENESS)];
  const limits = [...nice, 'prlimit', '--core=0', '--nofile=256', ...memory];
  const command = [options.command, ...options.args];
  if (options.sandbox === 'limits') return [...limits, ...command];
  const real = await realpath(options.command);
  const program = real.startsWith('/usr/') ? [] : ['--ro-bind', real, options.command];
  const readable = (options.readable ?? []).flatMap((path) => ['--ro-bind', path, path]);
  return [...limits, ...bubblewrap(options.scratch), ...readable, ...program, ...command];
}

function start(options: ChildOptions, command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, {
    cwd: options.scratch,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent', TMPDIR: '/tmp' },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.pipes ?? []).map(() => 'pipe' as const)],
    detached: true,
  });
}

/** Ends the whole process group: bubblewrap, prlimit and the program. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}

/** Reads every pipe to its end; a reader that fails ends the child too. */
async function readAll(child: ChildProcess, options: ChildOptions): Promise<{ stdout: string; stderrTail: string }> {
  const [, stdout, stderr, ...more] = child.stdio as unknown as [null, Readable, Readable, ...Readable[]];
  const orKill = (error: unknown): never => {
    killGroup(child);
    throw error;
  };
  const output = options.onOutput ? options.onOutput(stdout).then(() => '') : collect(stdout, 8 * 1024 * 1024, 'head');
  const [text, stderrTail] = await Promise.all([
    output.catch(orKill),
    collect(stderr, 16 * 1024, 'tail'),
    ...(options.pipes ?? []).map((read, index) => read(more[index] as Readable).catch(orKill)),
  ]);
  return { stdout: text, stderrTail };
}

async function collect(stream: Readable, cap: number, keep: 'head' | 'tail'): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text = keep === 'head' ? (text + chunk).slice(0, cap) : (text + chunk).slice(-cap);
  }
  return text;
}

function exitOf(child: ChildProcess, command: string): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(
        new AppError('INTERNAL', `cannot start ${command}: ${messageOf(cause)}`, {
          reason: 'program_not_started',
          cause,
        }),
      ),
    );
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}
