/** ffmpeg and ffprobe: finds them and runs them sandboxed. */
import { dirname, join } from 'node:path';
import { AppError } from '@vds/chassis/errors';
import { findProgram, runProgram, type SandboxOptions, type ProgramRun } from '@vds/chassis/sandbox/programs';
import { limitReached } from '@vds/chassis/sandbox/sandbox';
import { findFfmpeg } from '@vds/chassis/sandbox/tools';
import { rejection } from '../domain/source/policy.ts';

export type MediaTools = SandboxOptions & { readonly ffmpeg: string; readonly ffprobe: string };

/** Finds both programs, ffprobe beside a configured ffmpeg or on PATH, and checks that they run. */
export async function findTools(sandbox: SandboxOptions, ffmpegPath: string | undefined): Promise<MediaTools> {
  const ffmpeg = await findFfmpeg(ffmpegPath);
  const ffprobe = await findProgram({
    name: 'ffprobe',
    candidates: [ffmpegPath && join(dirname(ffmpegPath), 'ffprobe')],
  });
  sandbox.log.info({ ffmpeg: ffmpeg.version, ffprobe: ffprobe.version }, 'media tools');
  return { ...sandbox, ffmpeg: ffmpeg.path, ffprobe: ffprobe.path };
}

/**
 * Runs one of the tools on a source to its end; returns its output.
 * @throws AppError `source_too_complex` where it reached the limit of its processor time or of a file, else as
 * `runProgram`
 */
export async function runTool(
  tools: MediaTools,
  name: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  run: ProgramRun,
): Promise<string> {
  try {
    return await runProgram(tools, { name, command: tools[name], args }, run);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== limitReached) throw error;
    throw rejection('source_too_complex', error.message, { limit: 'processing time or size' });
  }
}
