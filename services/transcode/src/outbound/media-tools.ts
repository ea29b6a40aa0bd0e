/** ffmpeg and ffprobe: which ones, and running them shut in. */
import type { Readable } from 'node:stream';
import { runChild, type Sandbox } from '@vds/shared/child';
import { AppError } from '@vds/shared/errors';
import type { Logger } from '@vds/shared/log';
import { findProgram } from '@vds/shared/programs';
import ffmpegStatic from 'ffmpeg-static';

export type MediaTools = {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly sandbox: Sandbox;
  readonly memoryBytes: number;
  readonly log: Logger;
};

/** Finds both programs and checks that they run. */
export const findTools = async (
  options: Omit<MediaTools, 'ffmpeg' | 'ffprobe'> & {
    readonly ffmpegPath: string | undefined;
    readonly ffprobePath: string | undefined;
  },
): Promise<MediaTools> => {
  const ffmpeg = await findProgram({
    name: 'ffmpeg',
    variable: 'FFMPEG_PATH',
    configured: options.ffmpegPath,
    candidates: [ffmpegStatic as unknown as string | null],
  });
  const ffprobe = await findProgram({ name: 'ffprobe', variable: 'FFPROBE_PATH', configured: options.ffprobePath });
  options.log.info({ ffmpeg: ffmpeg.version, ffprobe: ffprobe.version }, 'media tools');
  const { sandbox, memoryBytes, log } = options;
  return { ffmpeg: ffmpeg.path, ffprobe: ffprobe.path, sandbox, memoryBytes, log };
};

export type ToolRun = {
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onOutput?: (stdout: Readable) => Promise<void>;
  readonly pipes?: readonly ((stream: Readable) => Promise<void>)[];
};

/**
 * Runs one of the tools to its end; returns what it printed.
 * @throws AppError INTERNAL with reason `tool_failed` for an exit code other than 0; its errors go to our log alone
 */
export const runTool = async (
  tools: MediaTools,
  name: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  options: ToolRun,
): Promise<string> => {
  const { sandbox, memoryBytes, log } = tools;
  const result = await runChild({ command: tools[name], args, sandbox, memoryBytes, ...options });
  if (result.code === 0) return result.stdout;
  log.warn({ tool: name, code: result.code, tail: result.stderrTail }, 'a media tool failed');
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
