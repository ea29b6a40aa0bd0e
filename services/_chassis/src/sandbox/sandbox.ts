/**
 * Child programs that open hostile bytes: no shell, a cleared environment, a scratch folder of their own, no network
 * where the kernel allows it, limits on time and memory, and an end when the caller's signal aborts.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { AppError, messageOf } from '../errors.ts';

const execute = promisify(execFile);

/** `namespaces`: bubblewrap without network; `limits`: resource limits and a cleared environment alone. */
export type Sandbox = 'namespaces' | 'limits';

export type ChildOptions = {
  /** Absolute path of the program. */
  readonly command: string;
  /** Names in it are relative to `scratch`. */
  readonly args: readonly string[];
  /** The only folder the child may write; its working directory. */
  readonly scratch: string;
  /** Further files and folders that the child may read, absolute; what lies below /usr and /opt it may anyway. */
  readonly readable?: readonly string[];
  readonly sandbox: Sandbox;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Address space, in bytes. */
  readonly memoryBytes?: number;
  /** 0 to 19: how far the child steps back behind other programs where processors are short; 0 unless given. */
  readonly niceness?: number;
  /** Reads standard output as it comes; by default up to 8 MiB are kept and returned. */
  readonly onOutput?: (stdout: Readable) => Promise<void>;
  /** Readers of what the child writes to descriptors 3, 4 and so on; a slow reader slows the child down. */
  readonly pipes?: readonly ((stream: Readable) => Promise<void>)[];
};

export type ChildResult = {
  readonly code: number;
  readonly stdout: string;
  /** The last 16 KiB, for our own logs alone. */
  readonly stderrTail: string;
};

type Exit = { readonly code: number | null; readonly signal: string | null };

/** Finds out once, at boot, how well children can be shut in on this machine. */
export async function chooseSandbox(): Promise<Sandbox> {
  const scratch = await mkdtemp(join(tmpdir(), 'vds-sandbox-'));
  try {
    const [command, ...args] = [...bubblewrap(scratch), '/usr/bin/env', 'true'];
    await execute(command, args, { timeout: 10_000 });
    return 'namespaces';
  } catch {
    // No bubblewrap, or no user namespaces: limits are what is left, and the caller reports the level.
    return 'limits';
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function bubblewrap(scratch: string): string[] {
  return [
    'bwrap',
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/usr',
    '/usr',
    '--ro-bind-try',
    '/opt',
    '/opt',
    '--ro-bind-try',
    '/etc/alternatives',
    '/etc/alternatives',
    '--ro-bind-try',
    '/etc/fonts',
    '/etc/fonts',
    '--ro-bind-try',
    '/etc/ld.so.cache',
    '/etc/ld.so.cache',
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
    '--symlink',
    'usr/bin',
    '/bin',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--bind',
    scratch,
    '/scratch',
    '--chdir',
    '/scratch',
  ];
}

/**
 * Runs a program to its end and returns its exit code, whatever it is.
 * @throws AppError DEADLINE_EXCEEDED after `timeoutMs`; the signal's own reason when it aborts; INTERNAL when the program
 * cannot be started or was killed
 */
export async function runChild(options: ChildOptions): Promise<ChildResult> {
  const [command = '', ...args] = await sandboxed(options);
  // From here to the listener nothing is awaited: an abort that came before would be told to nobody.
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
    if (code === null) throw new AppError('INTERNAL', `${options.command} was ended by ${signal}`);
    return { code, ...read };
  } catch (error) {
    // A reader that broke off because the child was killed must not hide why it was killed.
    options.signal.throwIfAborted();
    throw error;
  } finally {
    end.removeEventListener('abort', kill);
    kill();
  }
}

async function sandboxed(options: ChildOptions): Promise<string[]> {
  const memory = options.memoryBytes === undefined ? [] : [`--as=${options.memoryBytes}`];
  const polite = options.niceness === undefined ? [] : ['nice', '-n', String(options.niceness)];
  const limits = [...polite, 'prlimit', '--core=0', '--nofile=256', ...memory];
  const program = [options.command, ...options.args];
  if (options.sandbox === 'limits') return [...limits, ...program];
  const real = await realpath(options.command);
  const own = real.startsWith('/usr/') ? [] : ['--ro-bind', real, options.command];
  const more = (options.readable ?? []).flatMap((path) => ['--ro-bind', path, path]);
  return [...limits, ...bubblewrap(options.scratch), ...more, ...own, ...program];
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

/** Reads every pipe to its end; a reader that fails takes the child with it. */
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
      reject(new AppError('INTERNAL', `cannot start ${command}: ${messageOf(cause)}`, { cause })),
    );
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}
