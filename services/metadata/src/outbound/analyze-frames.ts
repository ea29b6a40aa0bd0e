/** The pictures of a span, decoded once from the smallest rung: cuts, black and frozen intervals, tiny samples. */
import { AppError } from '@vds/chassis/errors';
import { byLine } from '@vds/chassis/sandbox/programs';
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import type { FrameAnalysis } from '../domain/jobs/analyze-span.ts';
import { findCuts } from '../domain/picture/cuts.ts';
import { frameLog } from '../domain/picture/frame-log.ts';
import { detectFreezes } from '../domain/picture/freezes.ts';
import {
  measureSample,
  SAMPLE_BYTES,
  SAMPLE_HEIGHT,
  SAMPLES_PER_SECOND,
  SAMPLE_WIDTH,
  type Sample,
} from '../domain/picture/sample.ts';
import { printsWithin } from '../domain/picture/prints.ts';
import { shotsWithin } from '../domain/picture/shots.ts';
import { segmentsWithin } from '../domain/renditions.ts';
import { lengthOf, within, type Span } from '../domain/span.ts';
import { decodeSegments, type AnalysisDeps } from './renditions.ts';
import { byBlock } from './tools.ts';

/**
 * The second before the span is also analyzed: a cut at its very start shows only in comparison with the picture
 * before.
 */
const RUN_UP_MS = 1_000;

const filters =
  `[0:v:0]setpts=PTS-STARTPTS,scale=${SAMPLE_WIDTH}:${SAMPLE_HEIGHT}:flags=fast_bilinear,format=yuv420p,split[all][some];` +
  '[all]scdet=t=100,blackdetect=d=0.2:pix_th=0.1,freezedetect=n=-50dB:d=2,metadata=print:file=-[logged];' +
  `[some]fps=${SAMPLES_PER_SECOND}:round=up[tiny]`;

const outputArgs = [
  ...['-an', '-filter_complex', filters, '-map', '[logged]', '-f', 'null', '-'],
  ...['-map', '[tiny]', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:3'],
];

/**
 * @param playlist of the smallest rung
 * @throws AppError INTERNAL with reason `tool_failed` where nothing can be decoded
 */
export async function analyzeFrames(deps: AnalysisDeps, playlist: MediaPlaylist, span: Span): Promise<FrameAnalysis> {
  const segments = segmentsWithin(playlist, span.startMs - RUN_UP_MS, span.endMs);
  const originMs = segments[0]?.startMs ?? 0;
  const log = frameLog(originMs);
  const samples: Sample[] = [];
  const onSample = (bytes: Buffer): void =>
    void samples.push(measureSample(originMs + (samples.length * 1_000) / SAMPLES_PER_SECOND, bytes));
  await decodeSegments(deps, {
    ...{ playlist, segments, name: 'picture.mp4', outputArgs },
    onOutput: byLine(log.line),
    pipes: [byBlock(SAMPLE_BYTES, onSample)],
  });
  if (samples.length === 0) throw new AppError('INTERNAL', 'no picture could be decoded', { reason: 'tool_failed' });
  const { frames, intervals } = log.end(segments.at(-1)?.endMs ?? originMs);
  return {
    shots: shotsWithin(span, findCuts(frames, samples, intervals), frames, samples),
    intervals: detectFreezes(intervals, samples)
      .map(({ kind, ...interval }) => ({ kind, ...clip(interval, span) }))
      .filter((interval) => lengthOf(interval) > 0),
    samples: within(span, samples),
    prints: printsWithin(span, samples),
  };
}

function clip({ startMs, endMs }: Span, to: Span): Span {
  return {
    startMs: Math.round(Math.max(startMs, to.startMs)),
    endMs: Math.round(Math.min(endMs, to.endMs)),
  };
}
