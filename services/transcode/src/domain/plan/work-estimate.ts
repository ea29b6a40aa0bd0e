/**
 * Work is estimated before it is done: pixels that are decoded, and pixels of every rung. The limits of the programs
 * and the order of jobs come from it, so that a source's permitted cost depends on the source, never on the machine that processes it.
 */
import { isHdr } from '../source/warnings.ts';
import { lookaheads, type Effort } from './effort.ts';
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

const MIB = 2 ** 20;
/** Memory of a program that copies packets, or that decodes sound. */
export const smallProgramMemory = 768 * MIB;
/** Memory of a program that decodes a few pictures, with {@link PROBE_THREADS}, before their size is known. */
export const probeMemory = 1_536 * MIB;
export const PROBE_THREADS = 2;

/** What a program may use. */
export type Machine = {
  readonly cores: number;
  /** Most bytes of one program. */
  readonly memoryBytes: number;
};

/** More make an encoder no faster at 1080p, but larger. */
const MAX_THREADS = 16;
/** Pictures that a decoder and its filters hold, whatever its threads: references, and what is shown later. */
const HELD_PICTURES = 20;
/** Pictures that tone mapping holds, as three planes of 32-bit floats, at the size of the largest rung. */
const TONE_MAPPED = 5;
const FLOAT_BYTES = 12;
/** What an encoder keeps of a picture: at full and at half size, with what was found out about it; bytes a pixel. */
const ENCODER_BYTES = 5;
/** Pictures that an encoder keeps, whatever it looks ahead at. */
const ENCODER_PICTURES = 16;
/** Pictures that it keeps for each thread. */
const THREAD_PICTURES = 4.5;
/** Threads of the whole program for each thread that it is given: those of a decoder and its filters, and of a rung. */
const threadsFor = { decoder: 3, rung: 3 } as const;
const STACK_MEMORY = 2 * MIB;
/** Of the rest, and for the lists of a long file's packets. */
const PROGRAM_MEMORY = 256 * MIB;

/**
 * Memory of the program that encodes pieces, and its threads: as many as it has memory for. What it takes is measured by
 * `test/peak-memory.test.ts`.
 * @param effort its `threads` are of each decoder and encoder; 0: as many as there are cores
 */
export function encodeNeeds(
  { probe: { video }, rungs }: Pick<EncodePlan, 'probe' | 'rungs'>,
  effort: Pick<Effort, 'preset' | 'threads'>,
  { cores, memoryBytes }: Machine,
) {
  const picture = pixelsOf(video, 1) * bytesAPixel(video.pixelFormat);
  const encoded = rungs.reduce((sum, rung) => sum + pixelsOf(rung, 1), 0) * ENCODER_BYTES;
  const toneMapped = isHdr(video) ? TONE_MAPPED * pixelsOf(rungs[0], 1) * FLOAT_BYTES : 0;
  const kept = ENCODER_PICTURES + lookaheads[effort.preset];
  const fixed = PROGRAM_MEMORY + HELD_PICTURES * picture + toneMapped + kept * encoded;
  const stacks = (threadsFor.decoder + threadsFor.rung * rungs.length) * STACK_MEMORY;
  const thread = picture + THREAD_PICTURES * encoded + stacks;
  const most = Math.min(MAX_THREADS, Math.floor((memoryBytes - fixed) / thread));
  const threads = Math.max(1, Math.min(effort.threads || cores, most));
  return { threads, memoryBytes: Math.ceil(fixed + threads * thread) };
}

/** Of a decoded picture in one of ffmpeg's planar formats. */
function bytesAPixel(format: string): number {
  const samples = /420|nv12/.test(format) ? 1.5 : /422/.test(format) ? 2 : 4;
  return /\d(le|be)$/.test(format) ? samples * 2 : samples;
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
  return toolLimits({
    pixels: pixelsOfJob(plan, job.kind, job.index ?? 0),
    bytes,
    soundSeconds: durationMs(plan.timeline) / 1_000,
  });
}

function pixelsOfJob(plan: EncodePlan, kind: string, index: number): number {
  if (kind === 'piece') return piecePixels(plan, index);
  // Captions of television are inside the pictures.
  const isDecoded = kind === 'texts' && plan.probe.video.closedCaptions;
  return isDecoded ? pixelsOf(plan.probe.video, plan.timeline.frames) : 0;
}

type Encoded = Pick<EncodePlan, 'timeline' | 'probe' | 'rungs' | 'copiesTop' | 'pieces'>;

/** Pixels that all programs of an encode get through: those that are decoded, and those of every rung that is encoded. */
export function encodePixels({ timeline, probe, rungs, copiesTop, pieces }: Encoded): number {
  const repeated = pieces.reduce((sum, { repeats }) => sum + repeats.length, 0);
  // A filter that reduces the frame rate fills gaps.
  const filled = timeline.thinned ? timeline.frameRate * timeline.end : 0;
  return pixelsOfPictures(
    probe.video,
    copiesTop === undefined ? rungs : rungs.slice(1),
    Math.max(timeline.frames, filled) + repeated,
  );
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
