/** Which bytes of the source the worker of a piece reads, so that nobody copies the pieces out of it first. */
import { joinRanges, sizeOf, type ByteRange, type SourceIndex } from '../source/source-index.ts';
import type { StoredPackets } from '../source/stored-packets.ts';

/** Of a piece: when its copy begins and ends, as `Piece` has it. */
type Copied = { readonly copyFrom: number | undefined; readonly copyTo: number | undefined };

/** Where a piece's packets lie. */
export type PieceBytes = {
  readonly range: ByteRange;
  /** Numbers, in decode order, of the first packet that may be read, the one that must be, and the one behind the last that must be. */
  readonly from: number;
  readonly first: number;
  readonly end: number;
};

/** Copying ends with a packet that is decoded after the end: pictures are reordered by sixteen at most. */
export const READ_ON = 20;
/** What lies between the packets of the video, and what is read ahead. */
const MARGIN_BYTES = 524_288;
/** ffmpeg looks at the first pictures, and at no more than five megabytes (`-probesize`). */
const [PROBED_PACKETS, MAX_PROBED_BYTES] = [24, 5_000_000];
/** One worker reads everything to copy it, and the others read the copies: where parts are read, nobody reads more. */
const MAX_READS = 2;
/** What a worker reads in any case, in a second or less. */
const FEW_BYTES = 8_388_608;

/**
 * The bytes of every piece; undefined where one worker had better copy them all: the packets' places are unknown, or
 * scattered, or the only places at which a demuxer may begin are far apart.
 */
export function planBytes(
  pieces: readonly Copied[],
  packets: StoredPackets,
  index: SourceIndex,
  fileBytes: number,
): PieceBytes[] | undefined {
  const planned = pieces.map((piece) => bytesOf(piece, packets, index, fileBytes));
  if (planned.some((one) => one === undefined)) return undefined;
  const known = planned as PieceBytes[];
  const read = known.reduce((sum, one) => sum + sizeOf(rangesOf(one, index.headers)), 0);
  return isReadInParts(read, pieces.length, fileBytes) ? known : undefined;
}

/** Whether so many readers may read so many bytes, all together. */
export function isReadInParts(read: number, readers: number, fileBytes: number): boolean {
  return read <= MAX_READS * fileBytes + readers * FEW_BYTES;
}

/** An index whose headers include what a demuxer looks at before it begins. */
export function withProbed(index: SourceIndex, { at, bytes }: StoredPackets, fileBytes: number): SourceIndex {
  const last = Math.min(PROBED_PACKETS, at.length) - 1;
  const behind = (at[last] ?? NaN) + (bytes[last] ?? 0);
  const probed = Math.min(Number.isNaN(behind) ? Infinity : behind, MAX_PROBED_BYTES);
  const to = endBehind(probed, index, fileBytes);
  return { ...index, headers: joinRanges([{ from: 0, to }, ...index.headers]) };
}

function bytesOf(
  { copyFrom, copyTo }: Copied,
  { at, bytes, keys }: StoredPackets,
  index: SourceIndex,
  fileBytes: number,
): PieceBytes | undefined {
  const { entries } = index;
  const first = copyFrom === undefined ? 0 : keys.get(copyFrom);
  const end = copyTo === undefined ? at.length : keys.get(copyTo);
  if (first === undefined || end === undefined || end <= first) return undefined;
  // By times of decoding, as ffmpeg does in Matroska, a seek leads to the key picture before.
  const from = entries ? Math.max(0, ...[...keys.values()].filter((number) => number < first).slice(-1)) : first;
  let [low, high] = [Infinity, 0];
  for (let number = from; number < Math.min(end + READ_ON, at.length); number++) {
    const place = at[number] ?? NaN;
    if (Number.isNaN(place)) return undefined;
    low = Math.min(low, place);
    high = Math.max(high, place + (bytes[number] ?? 0));
  }
  const start = entries ? (entries.findLast((entry) => entry <= low) ?? 0) : low;
  return { range: { from: start, to: endBehind(high, index, fileBytes) }, from, first, end };
}

/** Where reading ends that must reach a byte: behind a whole fragment or cluster, or a margin behind a packet. */
export function endBehind(at: number, { entries }: SourceIndex, fileBytes: number): number {
  return Math.min(entries ? (entries.find((entry) => entry >= at) ?? Infinity) : at + MARGIN_BYTES, fileBytes);
}

/** What a piece's worker reads of the source. */
export function rangesOf({ range }: PieceBytes, headers: readonly ByteRange[]): ByteRange[] {
  return joinRanges([...headers, range]);
}
