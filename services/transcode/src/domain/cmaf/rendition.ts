/** One rendition, streamed from the encoder's pipe into storage: cut, timed, numbered and measured on the way. */
import { AppError } from '@vds/chassis/errors';
import { initName, segmentName } from '../object-keys.ts';
import type { Colours } from '../source/avc-sequence.ts';
import { coloursOf } from './colours.ts';
import { createFragmentReader } from './fragment-reader.ts';
import { codecOf, makeInitSegment, timescaleOf } from './init-segment.ts';
import type { Sample } from './samples.ts';
import { writeSegment, type KeyPicture } from './segment-writer.ts';
import { createSegmenter, type Grid, type SampleGroup } from './segmenter.ts';

/** What a rendition consists of, as its job measured it. Times in ticks of the rendition. */
export type EncodedRendition = {
  /** `720p`, or `a` for sound. */
  readonly name: string;
  /** Init segment in base64: it is compared between pieces byte by byte. */
  readonly init: string;
  readonly codecs: string;
  /** Null for sound. */
  readonly colours: Colours | null;
  readonly timescale: number;
  /** Number of samples, presentation times of the first and the last one, end of the last one. */
  readonly samples: number;
  readonly start: number;
  readonly last: number;
  readonly end: number;
  readonly segments: readonly EncodedSegment[];
};

export type EncodedSegment = {
  readonly duration: number;
  readonly bytes: number;
  /** Of pictures alone. */
  readonly keys?: readonly KeyPicture[];
};

export type RenditionOptions = {
  readonly name: string;
  readonly grid: Grid;
  /** Ticks added to composition offsets. */
  readonly shift: number;
  /** Number of its first fragment. */
  readonly sequence: number;
  /** Ticks at which the next piece takes over; undefined: the last sample's own end. */
  readonly end: number | undefined;
  /** Ticks between which samples begin that are kept: those before only lead up to them. */
  readonly own?: { readonly from: number; readonly to: number };
  /** Of a rendition that is copied: where its clock and its pictures lie in the source's. */
  readonly copied?: Copied;
};

/** In seconds. */
export type Copied = {
  /** Zero of the video on the source's clock. */
  readonly zero: number;
  /** Of the video: pictures with `from <= t < to` are the piece's. */
  readonly from: number;
  readonly to: number;
  /** Ticks a second that the rendition gets. */
  readonly timescale: number;
};

export type RenditionPorts = {
  readonly put: (name: string, bytes: Buffer) => Promise<void>;
  /** Called with the presentation times of every finished segment, in ticks, rising. */
  readonly reached: (times: readonly number[]) => void;
};

/**
 * `read` reads a fragmented mp4 to its end; one segment at a time is being stored while the next one is read. `result`
 * returns the rendition once the encoder has ended without an error; it throws INTERNAL where the encoder stopped
 * half-way or delivered nothing.
 */
export function createRendition(options: RenditionOptions, ports: RenditionPorts) {
  const reader = createFragmentReader();
  const segmenter = createSegmenter(options.grid);
  const storage = createStorage(options, ports);
  const { from, to } = options.own ?? { from: 0, to: Infinity };
  const isOurs = ({ pts }: Sample): boolean => pts >= from && pts < to;
  let init: Buffer | undefined;

  const read = async (stream: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of stream) {
      const samples = reader.push(chunk);
      const header = reader.header();
      if (!header) continue;
      if (!init) {
        init = makeInitSegment(header, options.shift, options.copied?.timescale);
        await ports.put(initName, init);
      }
      const own = options.copied ? retimed(samples, timescaleOf(header), options.copied) : samples.filter(isOurs);
      for (const group of segmenter.push(own)) await storage.add(group);
    }
    for (const group of segmenter.flush(options.end)) await storage.add(group);
    await storage.settle();
  };
  const result = (): EncodedRendition => {
    reader.end();
    const { segments, total } = storage;
    if (!init || segments.length === 0) throw new AppError('INTERNAL', `the encoder gave nothing for ${options.name}`);
    const codecs = codecOf(init);
    return {
      name: options.name,
      init: init.toString('base64'),
      codecs,
      colours: codecs.startsWith('avc1') ? coloursOf(init) : null,
      timescale: timescaleOf(init),
      ...total,
      segments,
    };
  };
  return { read, result };
}

/** Stores segments one after the other and measures them. */
function createStorage(options: RenditionOptions, ports: RenditionPorts) {
  const segments: EncodedSegment[] = [];
  const total = { samples: 0, start: Number.POSITIVE_INFINITY, last: 0, end: 0 };
  let sequence = options.sequence;
  let storing: Promise<void> = Promise.resolve();

  const add = async (group: SampleGroup): Promise<void> => {
    const segment = writeSegment(group, sequence, options.shift);
    sequence += segment.fragments;
    total.samples += group.samples.length;
    total.start = Math.min(total.start, group.start);
    total.last = segment.times.at(-1) ?? total.last;
    total.end = Math.max(total.end, group.end);
    const name = segmentName(segments.length);
    const { duration, bytes, keys } = segment;
    segments.push({ duration, bytes: bytes.length, ...(keys.length > 0 && { keys }) });
    await storing;
    storing = ports.put(name, segment.bytes).then(() => ports.reached(segment.times));
    // Awaited before the next one is stored; until then a failure must not be an unhandled rejection.
    storing.catch(() => undefined);
  };
  return { add, settle: () => storing, segments, total };
}

/** The piece's samples on the video's clock, as the filter graph computes it. */
function retimed(samples: readonly Sample[], from: number, { zero, timescale, ...piece }: Copied): Sample[] {
  const ticks = (source: number): number => Math.round((source * timescale) / from);
  const begin = Math.round(zero * from);
  return samples
    .map((sample) => ({ ...sample, pts: ticks(sample.pts - begin), duration: ticks(sample.duration) }))
    .filter(({ pts }) => pts >= piece.from * timescale && pts < piece.to * timescale);
}
