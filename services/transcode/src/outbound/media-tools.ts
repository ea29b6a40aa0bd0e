/** ffmpeg and ffprobe: which ones, and running them shut in. */
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runChild, type Sandbox } from '@vds/shared/child';
import { AppError } from '@vds/shared/errors';
import type { Logger } from '@vds/shared/log';
import ffmpegStatic from 'ffmpeg-static';

const execute = promisify(execFile);

export type MediaTools = {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly sandbox: Sandbox;
  readonly memoryBytes: number;
  readonly log: Logger;
};

/** The first line of `-version`; throws where the program does not run. */
const versionOf = async (path: string): Promise<string> => {
  const { stdout } = await execute(path, ['-version'], { timeout: 20_000 });
  return stdout.split('\n', 1)[0] ?? '';
};

const onPath = async (name: string): Promise<string | undefined> => {
  try {
    return (await execute('/bin/sh', ['-c', `command -v ${name}`], { timeout: 10_000 })).stdout.trim();
  } catch {
    // Not on PATH; the caller says what is missing.
    return undefined;
  }
};

const runs = async (path: string | null | undefined): Promise<boolean> => {
  if (!path) return false;
  try {
    await access(path, constants.X_OK);
    await versionOf(path);
    return true;
  } catch {
    // Not there, or for another machine: the next candidate is tried.
    return false;
  }
};

/**
 * The program to use: the configured one and no other, else the first candidate that runs.
 * @throws AppError FAILED_PRECONDITION that says what to set or install
 */
const choose = async (
  name: 'ffmpeg' | 'ffprobe',
  configured: string | undefined,
  candidates: readonly (string | null | undefined)[],
): Promise<string> => {
  const variable = `${name.toUpperCase()}_PATH`;
  if (configured !== undefined) {
    if (await runs(configured)) return realpath(configured);
    throw new AppError('FAILED_PRECONDITION', `${variable} names ${configured}, which does not run`);
  }
  for (const candidate of candidates) if (candidate && (await runs(candidate))) return realpath(candidate);
  throw new AppError('FAILED_PRECONDITION', `${name} was not found: install it or set ${variable}`);
};

/** Finds both programs and checks that they run. */
export const findTools = async (
  options: Omit<MediaTools, 'ffmpeg' | 'ffprobe'> & {
    readonly ffmpegPath: string | undefined;
    readonly ffprobePath: string | undefined;
  },
): Promise<MediaTools> => {
  const ffmpeg = await choose('ffmpeg', options.ffmpegPath, [
    ffmpegStatic as unknown as string | null,
    await onPath('ffmpeg'),
  ]);
  const ffprobe = await choose('ffprobe', options.ffprobePath, [await onPath('ffprobe')]);
  options.log.info({ ffmpeg: await versionOf(ffmpeg), ffprobe: await versionOf(ffprobe) }, 'media tools');
  return { ffmpeg, ffprobe, sandbox: options.sandbox, memoryBytes: options.memoryBytes, log: options.log };
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
