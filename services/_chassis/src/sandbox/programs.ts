/** Finds the programs that a service runs (configured, from a package, or on PATH) and runs them in the sandbox. */
import { execFile } from 'node:child_process';
import { access, constants, realpath, statfs } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts';
import { runChild, type ChildOptions, type Sandbox } from './sandbox.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';

const execute = promisify(execFile);

export type ProgramRequest = {
  /** Its name on PATH. */
  readonly name: string;
  /** The variable in which the operator may configure another path. */
  readonly variable?: string;
  /** The value of that variable; if it is set, no other program is tried. */
  readonly configured?: string | undefined;
  /** Paths to try before PATH. */
  readonly candidates?: readonly (string | null | undefined)[];
  /** Print the version; `-version` by default. */
  readonly versionArgs?: readonly string[];
};

export type Program = {
  /** Absolute, with symbolic links resolved. */
  readonly path: string;
  /** The first line of its version output. */
  readonly version: string;
};

export type SandboxOptions = {
  readonly sandbox: Sandbox;
  /** What one program may take. */
  readonly memoryBytes: number;
  /** What all of them may take; undefined: whatever the machine has. */
  readonly memory?: MemoryBudget;
  readonly log: Logger;
};

export type ProgramCall = {
  /** Its name in error messages. */
  readonly name: string;
  /** Absolute path. */
  readonly command: string;
  readonly args: readonly string[];
};

export type ProgramRun = Omit<ChildOptions, 'command' | 'args' | 'sandbox'>;

/** With less free space than this, in bytes, a program's verdict about its input is not trusted. */
const FULL_BELOW = 8 * 1024 * 1024;

/**
 * The first program that runs: the configured one if set, else the candidates, else the one on PATH.
 * @throws AppError FAILED_PRECONDITION with instructions what to set or install
 */
export async function findProgram(request: ProgramRequest): Promise<Program> {
  const { name, variable, configured, candidates = [], versionArgs = ['-version'] } = request;
  if (configured !== undefined) {
    const found = await probe(configured, versionArgs);
    if (found) return found;
    throw new AppError('FAILED_PRECONDITION', `${variable ?? name} is ${configured}, which does not run`);
  }
  for (const candidate of [...candidates, await onPath(name)]) {
    const found = candidate ? await probe(candidate, versionArgs) : undefined;
    if (found) return found;
  }
  throw new AppError(
    'FAILED_PRECONDITION',
    `${name} was not found: install it${variable === undefined ? '' : ` or set ${variable}`}`,
  );
}

/** The program at a path; undefined if it does not exist or does not run. */
async function probe(path: string, args: readonly string[]): Promise<Program | undefined> {
  try {
    await access(path, constants.X_OK);
    const { stdout, stderr } = await execute(path, [...args], { timeout: 20_000 });
    return { path: await realpath(path), version: (stdout || stderr).split('\n', 1)[0] ?? '' };
  } catch {
    // Missing, or built for another machine: the next candidate is tried.
    return undefined;
  }
}

async function onPath(name: string): Promise<string | undefined> {
  try {
    return (await execute('/bin/sh', ['-c', 'command -v "$1"', 'sh', name], { timeout: 10_000 })).stdout.trim();
  } catch {
    // Not on PATH; the caller reports what is missing.
    return undefined;
  }
}

/**
 * Runs a program; returns its standard output.
 * @throws AppError INTERNAL with reason `tool_failed` for an exit code other than 0 (its stderr is only logged),
 * UNAVAILABLE when the scratch folder is full, else as `runChild`
 */
export async function runProgram(
  options: SandboxOptions,
  { name, command, args }: ProgramCall,
  run: ProgramRun,
): Promise<string> {
  const { sandbox, log } = options;
  const { signal, memoryBytes } = run;
  const result = await withMemory(options, { signal, ...(memoryBytes && { memoryBytes }) }, (own) =>
    runChild({ command, args, sandbox, ...run, memoryBytes: own.memoryBytes }),
  );
  if (result.code === 0) return result.stdout;
  log.warn({ tool: name, code: result.code, tail: result.stderrTail }, 'tool failed');
  if (await isFull(run.scratch)) throw new AppError('UNAVAILABLE', 'the scratch folder is full');
  throw new AppError('INTERNAL', `${name} ended with ${result.code}`, { reason: 'tool_failed' });
}

/**
 * Calls `work` once there is memory for its programs, with the options that they run with. Programs that wait for each
 * other must take theirs together.
 * @param wanted of one program; by default the most that one may take
 */
export async function withMemory<T>(
  options: SandboxOptions,
  wanted: { readonly signal: AbortSignal; readonly memoryBytes?: number; readonly programs?: number },
  work: (own: SandboxOptions) => Promise<T>,
): Promise<T> {
  const { memory = createMemoryBudget(), ...rest } = options;
  const { signal, programs = 1 } = wanted;
  const one = Math.min(wanted.memoryBytes ?? Infinity, options.memoryBytes);
  const { bytes, release } = await memory.take(one * programs, signal);
  try {
    return await work({ ...rest, memoryBytes: Math.floor(bytes / programs) });
  } finally {
    release();
  }
}

async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < FULL_BELOW;
}

/** A reader of standard output that calls `onLine` for every line, without a limit. */
export function byLine(onLine: (line: string) => void) {
  return async (stdout: Readable): Promise<void> => {
    let rest = '';
    for await (const chunk of stdout.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    }
    if (rest !== '') onLine(rest);
  };
}
