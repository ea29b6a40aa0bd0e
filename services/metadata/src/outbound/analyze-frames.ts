/** The pictures of a span, decoded once from the smallest rung: cuts, black and frozen intervals, tiny samples. */
import { AppError } from '@vds/chassis/errors';
import type { Objects } from '@vds/chassis/objects/objects';
import { byLine } from '@vds/chassis/sandbox/programs';
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import type { AnalyzedShot, AnalyzedInterval } from '../domain/analysis.ts';
import { findCuts } from '../domain/picture/cuts.ts';
import { frameLog } from '../domain/picture/frame-log.ts';
import {
  measureSample,
  sampleBytes,
  sampleHeight,
  samplesPerSecond,
  sampleWidth,
  type Sample,
} from '../domain/picture/sample.ts';
import { shotsWithin } from '../domain/picture/shots.ts';
import { detectFreezes } from '../domain/picture/freezes.ts';
import { segmentsWithin } from '../domain/renditions.ts';
import type { Span } from '../domain/span.ts';
import { joinSegments } from './renditions.ts';
import { byBlock, runTool, type Tools } from './tools.ts';

export type Deps = {
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly tools: Tools;
  readonly media: Objects;
};

export type SeenPicture = {
  readonly shots: readonly AnalyzedShot[];
  readonly intervals: readonly AnalyzedInterval[];
  readonly samples: readonly Sample[];
};

const fileName = 'picture.mp4';
/**
 * The second before the span is also analyzed: a cut at its very start shows only in comparison with the picture
 * before.
 */
const runUpMs = 1_000;

const filters =
  `[0:v:0]setpts=PTS-STARTPTS,scale=${sampleWidth}:${sampleHeight}:flags=fast_bilinear,format=yuv420p,split[all][some];` +
  '[all]scdet=t=100,blackdetect=d=0.2:pix_th=0.1,freezedetect=n=-50dB:d=2,metadata=print:file=-[noted];' +
  `[some]fps=${samplesPerSecond}:round=up[tiny]`;

const decodeArguments = [
  ...['-hide_banner', '-nostdin', '-v', 'error', '-protocol_whitelist', 'file', '-i', fileName, '-an'],
  ...['-filter_complex', filters, '-map', '[noted]', '-f', 'null', '-'],
  ...['-map', '[tiny]', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:3'],
];

/**
 * @param playlist of the smallest rung
 * @throws AppError INTERNAL with reason `tool_failed` where nothing can be decoded
 */
export async function analyzeFrames(desk: Deps, playlist: MediaPlaylist, span: Span): Promise<SeenPicture> {
  const { media, scratch, signal, timeoutMs, tools } = desk;
  const segments = segmentsWithin(playlist, span.startMs - runUpMs, span.endMs);
  const originMs = segments[0]?.startMs ?? 0;
  await joinSegments(media, playlist, segments, { scratch, name: fileName }, signal);
  const log = frameLog(originMs);
  const samples: Sample[] = [];
  const keep = (bytes: Buffer): void =>
    void samples.push(measureSample(originMs + (samples.length * 1_000) / samplesPerSecond, bytes));
  await runTool(tools, 'ffmpeg', decodeArguments, {
    ...{ scratch, signal, timeoutMs },
    onOutput: byLine(log.line),
    pipes: [byBlock(sampleBytes, keep)],
  });
  if (samples.length === 0) throw new AppError('INTERNAL', 'no picture could be decoded', { reason: 'tool_failed' });
  const { frames, intervals } = log.end(segments.at(-1)?.endMs ?? originMs);
  return {
    shots: shotsWithin(span, findCuts(frames, samples, intervals), frames, samples),
    intervals: detectFreezes(intervals, samples)
      .map(({ kind, ...interval }) => ({ kind, ...clip(interval, span) }))
      .filter(({ startMs, endMs }) => endMs > startMs),
    samples: samples.filter(({ atMs }) => atMs >= span.startMs && atMs < span.endMs),
  };
}

function clip({ startMs, endMs }: Span, within: Span): Span {
  return {
    startMs: Math.round(Math.max(startMs, within.startMs)),
    endMs: Math.round(Math.min(endMs, within.endMs)),
  };
}
