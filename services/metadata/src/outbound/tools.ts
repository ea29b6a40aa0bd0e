/** ffmpeg and tesseract: which ones, and running them shut in. */
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runChild, type Sandbox } from '@vds/shared/child';
import { AppError } from '@vds/shared/errors';
import type { Logger } from '@vds/shared/log';
import ffmpegStatic from 'ffmpeg-static';

const execute = promisify(execFile);

export type Tools = {
  readonly ffmpeg: string;
  /** Undefined: there is none, and no text is read. */
  readonly tesseract: string | undefined;
  readonly sandbox: Sandbox;
  readonly memoryBytes: number;
  readonly log: Logger;
};

const onPath = async (name: string): Promise<string | undefined> => {
  try {
    return (await execute('/bin/sh', ['-c', `command -v ${name}`], { timeout: 10_000 })).stdout.trim();
  } catch {
    // Not on PATH; the caller says what is missing.
    return undefined;
  }
};

const runs = async (path: string, flag: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    await execute(path, [flag], { timeout: 20_000 });
    return true;
  } catch {
    // Not there, or for another machine: the next candidate is tried.
    return false;
  }
};

const firstThatRuns = async (
  candidates: readonly (string | null | undefined)[],
  flag: string,
): Promise<string | undefined> => {
  for (const candidate of candidates) if (candidate && (await runs(candidate, flag))) return realpath(candidate);
  return undefined;
};

export type ToolPaths = { readonly ffmpegPath: string | undefined; readonly tesseractPath: string | undefined };

/**
 * The programs to use: configured ones and no others, else the first that runs. Without tesseract text is not read.
 * @throws AppError FAILED_PRECONDITION that says what to set or install
 */
export const findTools = async (given: Omit<Tools, 'ffmpeg' | 'tesseract'> & ToolPaths): Promise<Tools> => {
  const { ffmpegPath, tesseractPath, sandbox, memoryBytes, log } = given;
  const carried = ffmpegStatic as unknown as string | null;
  const ffmpeg = await firstThatRuns(
    ffmpegPath === undefined ? [carried, await onPath('ffmpeg')] : [ffmpegPath],
    '-version',
  );
  if (ffmpeg === undefined)
    throw new AppError(
      'FAILED_PRECONDITION',
      ffmpegPath === undefined
        ? 'ffmpeg was not found: install it or set FFMPEG_PATH'
        : `FFMPEG_PATH names ${ffmpegPath}, which does not run`,
    );
  const tesseract = await firstThatRuns([tesseractPath ?? (await onPath('tesseract'))], '--version');
  log.info({ ffmpeg, tesseract: tesseract ?? null }, 'tools');
  if (tesseract === undefined)
    log.warn({ tesseract_path: tesseractPath ?? null }, 'tesseract does not run: no text on screen will be read');
  return { ffmpeg, tesseract, sandbox, memoryBytes, log };
};

export type ToolRun = {
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onOutput?: (stdout: Readable) => Promise<void>;
  readonly pipes?: readonly ((stream: Readable) => Promise<void>)[];
};

/**
 * Runs a program to its end; returns what it printed.
 * @param args for tesseract with `OMP_THREAD_LIMIT=1`: several run at once, each on a core
 * @throws AppError INTERNAL with reason `tool_failed` for an exit code other than 0; its errors go to our log alone
 */
export const runTool = async (
  { ffmpeg, tesseract, sandbox, memoryBytes, log }: Tools,
  name: 'ffmpeg' | 'tesseract',
  args: readonly string[],
  options: ToolRun,
): Promise<string> => {
  const program =
    name === 'ffmpeg'
      ? { command: ffmpeg, args }
      : { command: '/usr/bin/env', args: ['OMP_THREAD_LIMIT=1', tesseract ?? name, ...args] };
  const result = await runChild({ ...program, sandbox, memoryBytes, ...options });
  if (result.code === 0) return result.stdout;
  log.warn({ tool: name, code: result.code, tail: result.stderrTail }, 'a tool failed');
  throw new AppError('INTERNAL', `${name} ended with ${result.code}`, { reason: 'tool_failed' });
};

/** Hands over what a tool prints line by line, however much it is. */
export const byLine =
  (line: (line: string) => void) =>
  async (stdout: Readable): Promise<void> => {
    let rest = '';
    for await (const chunk of stdout.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(line);
    }
    if (rest !== '') line(rest);
  };

/**
 * Hands over blocks of `size` bytes, one after the other; what is left over at the end is no block. A block is only lent
 * for the call.
 */
export const byBlock =
  (size: number, block: (bytes: Buffer) => Promise<void> | void) =>
  async (stream: Readable): Promise<void> => {
    const held = Buffer.alloc(size);
    let filled = 0;
    for await (const part of stream) {
      const chunk = part as Buffer;
      for (let at = 0; at < chunk.length;) {
        const taken = chunk.copy(held, filled, at, at + size - filled);
        filled += taken;
        at += taken;
        if (filled === size) {
          await block(held);
          filled = 0;
        }
      }
    }
  };
