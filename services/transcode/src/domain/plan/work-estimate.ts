/**
 * Work is estimated before it is done: pixels that are decoded, and pixels of every rung. The limits of the programs
 * and the order of jobs come from it, so that a source's permitted cost depends on the source, never on the machine that processes it.
 */
import { durationMs, type EncodePlan } from './encode-plan.ts';

export type ToolLimits = {
  /** Processor time over all threads. */
  readonly cpuSeconds: number;
  readonly timeoutMs: number;
};

/** Pixels that one core gets through in a second, measured with the preset veryfast. */
const USUAL_PIXELS = 70_000_000;
/**
 * What one core gets through in a second at the very least. Measured with the preset medium: a quarter of the usual;
 * 250 million where pictures are only decoded.
 */
const slowest = { pixels: 2_000_000, bytes: 4_000_000 } as const;
/** For the fixed work of every program. */
const BASE_SECONDS = 300;
/** A program shares the cores with others, at the lowest priority. */
const SHARED = 4;

type Work = {
  readonly pixels: number;
  /** Of the file that is read. */
  readonly bytes: number;
  /** Of sound that is encoded. */
  readonly soundSeconds?: number;
};
type Size = { readonly width: number; readonly height: number };

/** The limits of a program: far beyond any real work, so that they end one that is led astray by its input. */
export function toolLimits({ pixels, bytes, soundSeconds = 0 }: Work): ToolLimits {
  const cpuSeconds = Math.ceil(BASE_SECONDS + pixels / slowest.pixels + bytes / slowest.bytes + soundSeconds);
  return { cpuSeconds, timeoutMs: cpuSeconds * SHARED * 1_000 };
}

/** Pixels of this many pictures. */
export function pixelsOf({ width, height }: Size, pictures: number): number {
  return width * height * pictures;
}

/**
 * The limits of the programs of one job of an encode.
 * @param job has an index if it encodes a piece
 * @param bytes size of the source
 */
export function jobLimits(
  plan: EncodePlan,
  job: { readonly kind: string; readonly index?: number },
  bytes: number,
): ToolLimits {
  const pixels = job.index === undefined ? 0 : piecePixels(plan, job.index);
  return toolLimits({ pixels, bytes, soundSeconds: durationMs(plan.timeline) / 1_000 });
}

/** Pixels that all programs of an encode get through: those that are decoded, and those of every rung. */
export function encodePixels({ timeline, probe, rungs }: Pick<EncodePlan, 'timeline' | 'probe' | 'rungs'>): number {
  return pixelsOfPictures(probe.video, rungs, timeline.frames);
}

/** Roughly the seconds that one core encodes a video for. */
export function usualSeconds(plan: EncodePlan): number {
  return encodePixels(plan) / USUAL_PIXELS;
}

/** If the frame rate is reduced, the number of pictures in the piece is unknown: all of them count. */
function piecePixels({ pieces, timeline, probe, rungs }: EncodePlan, index: number): number {
  const piece = pieces[index];
  const pictures = piece?.frames ?? timeline.frames;
  return pixelsOfPictures(probe.video, rungs, pictures);
}

function pixelsOfPictures(source: Size, rungs: readonly Size[], pictures: number): number {
  return [source, ...rungs].reduce((sum, size) => sum + pixelsOf(size, pictures), 0);
}
