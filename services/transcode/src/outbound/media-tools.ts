/** ffmpeg and ffprobe: finds them and runs them sandboxed. */
import { findProgram, runProgram, type SandboxOptions, type ProgramRun } from '@vds/chassis/sandbox/programs';
import { findFfmpeg } from '@vds/chassis/sandbox/tools';

export type MediaTools = SandboxOptions & { readonly ffmpeg: string; readonly ffprobe: string };

export type ToolPaths = { readonly ffmpegPath: string | undefined; readonly ffprobePath: string | undefined };

/** Finds both programs and checks that they run. */
export async function findTools(options: SandboxOptions & ToolPaths): Promise<MediaTools> {
  const ffmpeg = await findFfmpeg(options.ffmpegPath);
  const ffprobe = await findProgram({ name: 'ffprobe', variable: 'FFPROBE_PATH', configured: options.ffprobePath });
  options.log.info({ ffmpeg: ffmpeg.version, ffprobe: ffprobe.version }, 'media tools');
  const { sandbox, memoryBytes, log } = options;
  return { ffmpeg: ffmpeg.path, ffprobe: ffprobe.path, sandbox, memoryBytes, log };
}

/** Runs one of the tools to its end; returns its output. Errors as of `runProgram`. */
export function runTool(
  tools: MediaTools,
  name: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  run: ProgramRun,
): Promise<string> {
  return runProgram(tools, { name, command: tools[name], args }, run);
}
