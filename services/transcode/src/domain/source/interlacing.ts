/**
 * Whether the pictures of a source are marked correctly: recorders mark progressive pictures as interlaced, and editors
 * lose the mark of interlaced ones. A few samples of pictures are decoded and analysed.
 */
import type { FrameScan } from './frame-scan.ts';
import { sampleTimes } from './picture-samples.ts';
import type { VideoStream } from './probe.ts';

/** How the pictures of one sample are marked, and what they look like. */
export type FieldSample = {
  readonly marked: number;
  readonly topFirst: number;
  readonly bottomFirst: number;
  readonly whole: number;
};

/** Codecs whose pictures may be interlaced. */
const codecs = new Set(['h264', 'hevc']);
/** A deinterlacer takes no smaller pictures. */
const [fewestColumns, fewestLines] = [3, 4];
/** Interlaced pictures are neither larger nor, unless they say so, more. */
const [mostLines, highestRate] = [1_088, 31];
const MAX_SAMPLES = 6;
/** Pictures of a sample that must look like either, and the share that must look alike. */
const [fewest, clearShare] = [8, 0.9];
/** The share of the clear samples that must contradict their marks: single ones may be misjudged. */
const CONTRADICTING = 1 / 3;

export function mayBeInterlaced({ codec, width, height }: VideoStream): boolean {
  return codecs.has(codec) && width >= fewestColumns && height >= fewestLines;
}

/** Seconds of the source's clock at which samples begin; none if nothing can be interlaced. */
export function fieldSampleTimes(video: VideoStream, scan: FrameScan): number[] {
  const rate = scan.times.length / Math.max(0.001, scan.end - (scan.times[0] ?? 0));
  const plausible = video.interlaced || rate <= highestRate;
  if (!mayBeInterlaced(video) || video.fields || !plausible || Math.min(video.width, video.height) > mostLines)
    return [];
  const keys = sampleTimes(scan);
  const step = Math.max(1, keys.length / MAX_SAMPLES);
  return Array.from({ length: Math.min(MAX_SAMPLES, keys.length) }, (_time, index) => {
    return keys[Math.floor((index + 0.5) * step)] ?? keys.at(-1) ?? 0;
  });
}

/** Reads what `fieldSampleArguments` print: each picture's mark in the parity of its time, and what it looks like. */
export function readFieldSample(text: string): FieldSample {
  const pictures = [...text.matchAll(/pts:(-?\d+)[^\n]*\n[^\n]*current_frame=(\w+)/g)];
  const looking = (like: string): number => pictures.filter(([, , type]) => type === like).length;
  return {
    marked: pictures.filter(([, time]) => Number(time) % 2 !== 0).length / Math.max(1, pictures.length),
    topFirst: looking('tff'),
    bottomFirst: looking('bff'),
    whole: looking('progressive'),
  };
}

/** Adds whether the pictures' marks are wrong, and if they are, whether they look interlaced. */
export function withFieldSamples(video: VideoStream, samples: readonly FieldSample[]): VideoStream {
  const clear = samples.flatMap((sample) => {
    const looks = looksOf(sample);
    return looks ? [{ isMarked: sample.marked > 0.5, isInterlaced: looks === 'interlaced' }] : [];
  });
  const wrong = clear.filter(({ isMarked, isInterlaced }) => isMarked !== isInterlaced);
  if (wrong.length === 0 || wrong.length < clear.length * CONTRADICTING) return video;
  return { ...video, wronglyMarked: true, interlaced: clear.some(({ isInterlaced }) => isInterlaced) };
}

/** Undefined if unclear: nothing moves, or fine patterns deceive. */
function looksOf({ topFirst, bottomFirst, whole }: FieldSample): 'interlaced' | 'whole' | undefined {
  const decided = topFirst + bottomFirst + whole;
  if (decided < fewest) return undefined;
  if (whole >= decided * clearShare) return 'whole';
  // Fine patterns that move look like fields of either order.
  return Math.max(topFirst, bottomFirst) >= decided * clearShare ? 'interlaced' : undefined;
}
