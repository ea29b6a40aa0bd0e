/**
 * Runs programs on untrusted files: no shell, a cleared environment, a scratch folder, no sockets and no other files where
 * the kernel has Landlock, limits on time and memory, and an end when the caller's signal aborts.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism, constants } from 'node:os';
import type { Readable } from 'node:stream';
import { AppError, messageOf } from '../errors.ts';
import { beginPhase } from '../work/phases.ts';

/** `confined`: by Landlock and seccomp (confine.c); `limits`: only resource limits and a cleared environment. */
export type Sandbox = { readonly level: 'confined'; readonly confine: string } | { readonly level: 'limits' };
export const limitsOnly: Sandbox = { level: 'limits' };

export type ChildOptions = {
  /** Absolute path of the program. */
  readonly command: string;
  /** Relative paths are relative to `scratch`. */
  readonly args: readonly string[];
  /** The working directory, and the only folder that the child may write. */
  readonly scratch: string;
  /** Absolute paths that the child may read besides /usr and /opt. */
  readonly readable?: readonly string[];
  readonly sandbox: Sandbox;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Memory of its own, in bytes. */
  readonly memoryBytes?: number;
  /** Processor time over all its threads. */
  readonly cpuSeconds?: number;
  /** The largest file that it may write, in bytes. */
  readonly fileBytes?: number;
  /** 0 to 19, as of nice(1); 5 by default. */
  readonly niceness?: number;
  /** What it reads from standard input; by default nothing. */
  readonly input?: Readable;
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

/** The worker has priority over its children: it renews their leases and answers probes. */
const NICENESS = 5;

/** Of each thread; 8 MiB by default, nearly all of which no program touches. */
const STACK_BYTES = 2 * 2 ** 20;

/** Node.js fires a longer timer at once; 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type Exit = { readonly code: number | null; readonly signal: string | null };

/** The error reason of a program that reached the limit of its processor time or files. */
export const limitReached = 'program_limit_reached';

/** The signals that end a program from outside, or because of its own fault; a shell reports them as 128 + number. */
const fatalSignals = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL'] as const),
  ...(['SIGSEGV', 'SIGTERM', 'SIGXCPU', 'SIGXFSZ', 'SIGSYS'] as const),
];
const signalOfCode = new Map<number, string>(fatalSignals.map((name) => [128 + constants.signals[name], name]));

/** What every program may read besides its own scratch folder. */
const READABLE = ['/usr', '/lib', '/lib64', '/bin', '/opt', '/etc/alternatives', '/etc/fonts', '/etc/ld.so.cache'];

/**
 * Runs a program to completion, as the phase `encode` of the job in progress, and returns its exit code.
 * @throws AppError DEADLINE_EXCEEDED `timed_out` after `timeoutMs`; the signal's own reason when it aborts; INTERNAL
 * `program_killed` when it was killed, `program_not_started` when it or its sandbox could not be started, and
 * FAILED_PRECONDITION `program_limit_reached` when it reached the limit of its processor time or files
 */
export async function runChild(options: ChildOptions): Promise<ChildResult> {
  const [command = '', ...args] = sandboxed(options);
  options.signal.throwIfAborted();
  const timeout = AbortSignal.timeout(Math.min(options.timeoutMs, MAX_TIMER_MS));
  const end = AbortSignal.any([options.signal, timeout]);
  const startedAt = performance.now();
  const child = start(options, command, args);
  const kill = (): void => killGroup(child);
  feed(child, options.input, kill);
  const endPhase = beginPhase('encode');
  end.addEventListener('abort', kill, { once: true });
  try {
    const reading = readAll(child, options);
    const [exit, output] = await Promise.allSettled([exitOf(child, options.command), reading.output]);
    options.signal.throwIfAborted();
    if (timeout.aborted)
      throw new AppError('DEADLINE_EXCEEDED', `${options.command} did not end within ${options.timeoutMs} ms`, {
        reason: 'timed_out',
      });
    if (exit.status === 'rejected') throw exit.reason;
    const stderrTail = await reading.stderrTail;
    // If the program ended first, its end is why a reader failed.
    if (output.status === 'rejected' && (reading.killed() || exit.value.code === 0)) throw output.reason;
    const code = orThrow(exit.value, stderrTail, options, performance.now() - startedAt);
    return { code, stdout: output.status === 'fulfilled' ? output.value : '', stderrTail };
  } finally {
    end.removeEventListener('abort', kill);
    kill();
    endPhase();
  }
}

/**
 * Returns the exit code of a program that ended by itself.
 * @param ranMs how long it ran
 * @throws AppError as documented by `runChild`
 */
function orThrow(
  { code, signal }: Exit,
  stderrTail: string,
  { command, cpuSeconds = Infinity }: ChildOptions,
  ranMs: number,
): number {
  const killedBy = signal ?? signalOfCode.get(code ?? 0);
  // ffmpeg catches SIGXCPU and ends with 255, as after any caught signal, but also after errors of its own: those come
  // too early for the processors (at most twice those that a quota rounds down to) to have used up its time.
  const usedUp = code === 255 && (ranMs / 1_000) * 2 * availableParallelism() >= cpuSeconds;
  if (killedBy === 'SIGXCPU' || killedBy === 'SIGXFSZ' || usedUp)
    throw new AppError('FAILED_PRECONDITION', `${command} reached a limit (${killedBy ?? 'SIGXCPU'})`, {
      reason: limitReached,
    });
  if (code === null || killedBy !== undefined)
    throw new AppError('INTERNAL', `${command} was killed by ${killedBy}`, { reason: 'program_killed' });
  if (code !== 0 && isLauncherOutput(stderrTail))
    throw new AppError('INTERNAL', `cannot start ${command}: ${stderrTail.trim()}`, { reason: 'program_not_started' });
  return code;
}

/** Whether everything on stderr comes from the programs that start the actual one: it never ran. */
function isLauncherOutput(stderr: string): boolean {
  return /^(?:(?:nice|prlimit|vds-confine): .*\n?)+$/.test(stderr);
}

function sandboxed({ sandbox, ...options }: ChildOptions): string[] {
  const { memoryBytes, cpuSeconds, fileBytes } = options;
  const memory = memoryBytes === undefined ? [] : memoryLimits(memoryBytes);
  // SIGXCPU at the first limit, SIGKILL at the second one.
  const cpu = cpuSeconds === undefined ? [] : [`--cpu=${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 5}`];
  const file = fileBytes === undefined ? [] : [`--fsize=${Math.ceil(fileBytes)}`];
  const nice = ['nice', '-n', String(options.niceness ?? NICENESS)];
  const limits = [...nice, 'prlimit', '--core=0', '--nofile=256', ...memory, ...cpu, ...file];
  const command = [options.command, ...options.args];
  if (sandbox.level === 'limits') return [...limits, ...command];
  const readable = [...READABLE, options.command, ...(options.readable ?? [])].flatMap((path) => ['--read', path]);
  return [...limits, sandbox.confine, ...readable, '--write', options.scratch, '--', ...command];
}

/**
 * What it may write to, with the stacks of its threads, of which an encoder has more than a hundred; and address space,
 * as memory that is shared does not count as its own.
 */
function memoryLimits(bytes: number): string[] {
  return [`--data=${bytes}`, `--as=${2 * bytes + 2 ** 31}`, `--stack=${STACK_BYTES}`];
}

function start(options: ChildOptions, command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, {
    cwd: options.scratch,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent', TMPDIR: options.scratch },
    stdio: [options.input ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(options.pipes ?? []).map(() => 'pipe' as const)],
    detached: true,
  });
}

/** Writes the input to the program; truncated input ends it, or it would take half of its input for all of it. */
function feed({ stdin }: ChildProcess, input: Readable | undefined, kill: () => void): void {
  if (!input || !stdin) return;
  if (input.destroyed) return kill();
  input.once('close', () => {
    if (!input.readableEnded) kill();
  });
  // A program that ends before its input does is judged by its exit code.
  stdin.once('error', () => undefined);
  input.pipe(stdin);
}

/** Ends the whole process group: the program and what it started. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}

/** Reads every pipe to its end; a reader that fails before the end of its pipe ends the child as well. */
function readAll(child: ChildProcess, options: ChildOptions) {
  const [, stdout, stderr, ...more] = child.stdio as unknown as [null, Readable, Readable, ...Readable[]];
  let killed = false;
  const orKill = (stream: Readable) => (error: unknown) => {
    if (!stream.readableEnded) {
      killed = true;
      killGroup(child);
      stream.destroy();
    }
    throw error;
  };
  const output = options.onOutput ? options.onOutput(stdout).then(() => '') : collect(stdout, 8 * 1024 * 1024, 'head');
  const pipes = (options.pipes ?? []).map((read, index) => {
    const stream = more[index] as Readable;
    return read(stream).catch(orKill(stream));
  });
  return {
    /** Standard output, once every reader has ended. */
    output: Promise.all([output.catch(orKill(stdout)), ...pipes]).then(([text]) => text),
    stderrTail: collect(stderr, 16 * 1024, 'tail'),
    /** Whether a reader ended the child. */
    killed: (): boolean => killed,
  };
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
