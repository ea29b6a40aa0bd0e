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

const MIB = 2 ** 20;
/** For the lists of a long file's packets, and the rest of a program. */
const BASE_MEMORY = 512 * MIB;
/** A picture with 16 bits a sample and all its colours. */
const BYTES_A_PIXEL = 6;
/** Pictures that a decoder and its filters hold, whatever its threads: references, and what is looked ahead at. */
const HELD_PICTURES = 12;
/** More make an encoder no faster at 1080p, but larger. */
const MAX_THREADS = 16;
/** Of five encoders, which no rung is larger for than 1080p. */
const ENCODER_THREAD_MEMORY = 100 * MIB;

/** Memory of a program that copies packets, or that decodes sound. */
export const smallProgramMemory = BASE_MEMORY + 256 * MIB;
/** Memory of a program that decodes a few pictures, with {@link PROBE_THREADS}, before their size is known. */
export const probeMemory = 1_536 * MIB;
export const PROBE_THREADS = 2;

/** What a program may use. */
export type Machine = {
  /** That ffmpeg counts, and starts threads by if it is given no number. */
  readonly cores: number;
  /** Most bytes of one program. */
  readonly memoryBytes: number;
};

/**
 * Memory of the program that encodes pieces, and its threads: as many as it has memory for. Measured with two to sixteen:
 * three quarters of it for 1080p, half for 8K.
 * @param wanted threads of each decoder and encoder; 0: as many as there are cores
 */
export function encodeNeeds({ width, height }: Size, wanted: number, { cores, memoryBytes }: Machine) {
  const picture = width * height * BYTES_A_PIXEL;
  const fixed = BASE_MEMORY + HELD_PICTURES * picture;
  const thread = picture + ENCODER_THREAD_MEMORY;
  const most = Math.min(MAX_THREADS, Math.floor((memoryBytes - fixed) / thread));
  const threads = Math.max(1, Math.min(wanted || cores, most));
  return { threads: wanted === 0 && threads === cores ? 0 : threads, memoryBytes: fixed + threads * thread };
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
