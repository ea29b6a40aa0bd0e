/** ffmpeg and tesseract: finds them and runs them sandboxed. */
import type { Readable } from 'node:stream';
import { AppError } from '@vds/chassis/errors';
import { findProgram, runProgram, type SandboxOptions, type ProgramRun } from '@vds/chassis/sandbox/programs';
import { findFfmpeg } from '@vds/chassis/sandbox/tools';

export type Tools = SandboxOptions & {
  readonly ffmpeg: string;
  /** Undefined: it is not installed, and no text is read. */
  readonly tesseract: string | undefined;
};

/**
 * Finds the programs: only the configured ones, else the first that runs. Without tesseract text is not read.
 * @throws AppError FAILED_PRECONDITION whose message states what to set or install
 */
export async function findTools(sandbox: SandboxOptions, ffmpegPath: string | undefined): Promise<Tools> {
  const { log } = sandbox;
  const { path: ffmpeg } = await findFfmpeg(ffmpegPath);
  const tesseract = await findTesseract();
  log.info({ ffmpeg, tesseract: tesseract ?? null }, 'tools');
  if (tesseract === undefined) log.warn('tesseract does not run: no text on screen will be read');
  return { ...sandbox, ffmpeg, tesseract };
}

/** Measured: 210 MiB for a decoder of 1080p with sixteen threads, 60 MiB for a page. */
const PROGRAM_MEMORY = 320 * 2 ** 20;

async function findTesseract(): Promise<string | undefined> {
  const request = { name: 'tesseract', versionArgs: ['--version'] };
  try {
    return (await findProgram(request)).path;
  } catch (error) {
    if (error instanceof AppError && error.code === 'FAILED_PRECONDITION') return undefined;
    throw error;
  }
}

/**
 * Runs a program to its end; returns its output. Errors as of `runProgram`.
 * @param args for tesseract with `OMP_THREAD_LIMIT=1`: several run at once, each on a core
 */
export function runTool(
  tools: Tools,
  name: 'ffmpeg' | 'tesseract',
  args: readonly string[],
  run: ProgramRun,
): Promise<string> {
  const call =
    name === 'ffmpeg'
      ? { command: tools.ffmpeg, args }
      : { command: '/usr/bin/env', args: ['OMP_THREAD_LIMIT=1', tools.tesseract ?? name, ...args] };
  return runProgram(tools, { name, ...call }, { memoryBytes: PROGRAM_MEMORY, ...run });
}

/**
 * Calls `onBlock` with blocks of `size` bytes, one after the other; an incomplete last one is dropped. A block is valid
 * only during the call.
 */
export function byBlock(size: number, onBlock: (bytes: Buffer) => Promise<void> | void) {
  return async (stream: Readable): Promise<void> => {
    const buffer = Buffer.alloc(size);
    let filled = 0;
    for await (const part of stream) {
      const chunk = part as Buffer;
      for (let at = 0; at < chunk.length;) {
        const copied = chunk.copy(buffer, filled, at, at + size - filled);
        filled += copied;
        at += copied;
        if (filled === size) {
          await onBlock(buffer);
          filled = 0;
        }
      }
    }
  };
}
