/**
 * Work is estimated before it is done: pixels that are decoded, and pixels of every rung. The limits of the programs
 * come from it, so that a source's permitted cost depends on the source, never on the machine that processes it.
 */
import type { EncodeJob } from './encode-jobs.ts';
import { durationMs, type EncodePlan } from './encode-plan.ts';

export type ToolLimits = {
  /** Processor time over all threads. */
  readonly cpuSeconds: number;
  readonly timeoutMs: number;
};

/**
 * What one core gets through in a second at the very least. Measured: 70 million with the preset veryfast, a quarter of
 * that with medium, 250 million where pictures are only decoded.
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

/** The limits of the programs of one job of an encode. @param bytes size of the source */
export function jobLimits(plan: EncodePlan, job: EncodeJob, bytes: number): ToolLimits {
  const pixels = job.kind === 'piece' ? piecePixels(plan, job.index) : 0;
  return toolLimits({ pixels, bytes, soundSeconds: durationMs(plan.timeline) / 1_000 });
}

/** If the frame rate is reduced, the number of pictures in the piece is unknown: all of them count. */
function piecePixels({ pieces, timeline, probe, rungs }: EncodePlan, index: number): number {
  const piece = pieces[index];
  const pictures = piece?.frames ?? timeline.frames;
  const encoded = rungs.reduce((sum, rung) => sum + pixelsOf(rung, pictures), 0);
  return pixelsOf(probe.video, pictures) + encoded;
}
