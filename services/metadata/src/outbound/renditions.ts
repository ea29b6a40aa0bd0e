/** The parts of a video's renditions that an analysis needs: fetched from the media bucket into scratch and decoded. */
import { join } from 'node:path';
import { getDocument } from '@vds/chassis/objects/documents';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import type { Objects } from '@vds/chassis/objects/objects';
import type { ProgramRun } from '@vds/chassis/sandbox/programs';
import { mediaPlaylist, type MediaPlaylist, type MediaSegment } from '@vds/proto/documents/media-playlist';
import { runTool, type Tools } from './tools.ts';

export type AnalysisDeps = Pick<ProgramRun, 'scratch' | 'signal' | 'timeoutMs'> & {
  readonly tools: Tools;
  readonly media: Pick<Objects, 'joinToFile'>;
};

export type Decoding = Pick<ProgramRun, 'onOutput' | 'pipes'> & {
  readonly playlist: MediaPlaylist;
  readonly segments: readonly MediaSegment[];
  /** Name in scratch of the file that the segments are joined to. */
  readonly name: string;
  /** Arguments of ffmpeg before the input and after it. */
  readonly inputArgs?: readonly string[];
  readonly outputArgs: readonly string[];
};

/** @param path of the playlist below the attempt */
export function fetchPlaylist(
  media: Objects,
  { videoId, attempt }: { readonly videoId: string; readonly attempt: number },
  path: string,
): Promise<MediaPlaylist> {
  return getDocument(media, `${attemptPrefix(videoId, attempt)}${path}`, mediaPlaylist);
}

/**
 * Fetches segments and decodes them with ffmpeg.
 * @throws AppError INTERNAL with reason `tool_failed` where they cannot be decoded
 */
export async function decodeSegments(
  { media, tools, scratch, signal, timeoutMs }: AnalysisDeps,
  { playlist, segments, name, inputArgs = [], outputArgs, ...readers }: Decoding,
): Promise<void> {
  await joinSegments(media, playlist, segments, { scratch, name }, signal);
  const safe = [
    '-hide_banner',
    '-nostdin',
    '-v',
    'error',
    '-protocol_whitelist',
    'file',
    '-codec_whitelist',
    'h264,aac',
  ];
  const args = [...safe, ...inputArgs, '-format_whitelist', 'mov', '-f', 'mov', '-i', name, ...outputArgs];
  await runTool(tools, 'ffmpeg', args, { scratch, signal, timeoutMs, ...readers });
}

/** Concatenates an init segment and segments into a file that ffmpeg reads. */
async function joinSegments(
  media: AnalysisDeps['media'],
  { init }: MediaPlaylist,
  segments: readonly MediaSegment[],
  path: { readonly scratch: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  await media.joinToFile([init, ...segments.map(({ key }) => key)], join(path.scratch, path.name), signal);
}
