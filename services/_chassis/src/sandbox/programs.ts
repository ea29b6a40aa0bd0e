/** The programs that a service starts: configured, brought along by a package, or on PATH; and running them shut in. */
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runChild, type ChildOptions, type Sandbox } from './sandbox.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';

const execute = promisify(execFile);

export type ProgramRequest = {
  /** As it is called on PATH. */
  readonly name: string;
  /** The variable by which the operator names another one. */
  readonly variable: string;
  /** What that variable holds; if anything, then this program and no other. */
  readonly configured: string | undefined;
  /** Paths to try before PATH. */
  readonly candidates?: readonly (string | null | undefined)[];
  /** Makes the program print its version; `-version` unless given. */
  readonly versionArgs?: readonly string[];
};

export type Program = {
  /** Absolute, links followed. */
  readonly path: string;
  /** The first line that it prints about itself. */
  readonly version: string;
};

/** How far programs are shut in, and who is told when one fails. */
export type SandboxOptions = {
  readonly sandbox: Sandbox;
  /** Address space of one program. */
  readonly memoryBytes: number;
  readonly log: Logger;
};

export type ProgramCall = {
  /** What it is called in errors. */
  readonly name: string;
  /** Absolute path. */
  readonly command: string;
  readonly args: readonly string[];
};

export type ProgramRun = Pick<ChildOptions, 'scratch' | 'signal' | 'timeoutMs' | 'onOutput' | 'pipes'>;

/**
 * The program to use, once it has been seen to run: the configured one and no other, else the first candidate, else PATH's.
 * @throws AppError FAILED_PRECONDITION that says what to set or install
 */
export async function findProgram(wish: ProgramRequest): Promise<Program> {
  const { name, variable, configured, candidates = [], versionArgs = ['-version'] } = wish;
  if (configured !== undefined) {
    const found = await probe(configured, versionArgs);
    if (found) return found;
    throw new AppError('FAILED_PRECONDITION', `${variable} names ${configured}, which does not run`);
  }
  for (const candidate of [...candidates, await onPath(name)]) {
    const found = candidate ? await probe(candidate, versionArgs) : undefined;
    if (found) return found;
  }
  throw new AppError('FAILED_PRECONDITION', `${name} was not found: install it or set ${variable}`);
}

/** The program at a path; undefined where it is not there or does not run. */
async function probe(path: string, args: readonly string[]): Promise<Program | undefined> {
  try {
    await access(path, constants.X_OK);
    const { stdout, stderr } = await execute(path, [...args], { timeout: 20_000 });
    return { path: await realpath(path), version: (stdout || stderr).split('\n', 1)[0] ?? '' };
  } catch {
    // Not there, or for another machine: the next candidate is tried.
    return undefined;
  }
}

async function onPath(name: string): Promise<string | undefined> {
  try {
    return (await execute('/bin/sh', ['-c', 'command -v "$1"', 'sh', name], { timeout: 10_000 })).stdout.trim();
  } catch {
    // Not on PATH; the caller says what is missing.
    return undefined;
  }
}

/**
 * Runs a program to its end; returns what it printed.
 * @throws AppError INTERNAL with reason `tool_failed` for an exit code other than 0; its errors go to our log alone
 */
export async function runProgram(
  { sandbox, memoryBytes, log }: SandboxOptions,
  { name, command, args }: ProgramCall,
  run: ProgramRun,
): Promise<string> {
  const result = await runChild({ command, args, sandbox, memoryBytes, ...run });
  if (result.code === 0) return result.stdout;
  log.warn({ tool: name, code: result.code, tail: result.stderrTail }, 'a tool failed');
  throw new AppError('INTERNAL', `${name} ended with ${result.code}`, { reason: 'tool_failed' });
}

/** Hands over what a program prints line by line, however much it is. */
export function byLine(line: (line: string) => void) {
  return async (stdout: Readable): Promise<void> => {
    let rest = '';
    for await (const chunk of stdout.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(line);
    }
    if (rest !== '') line(rest);
  };
}
