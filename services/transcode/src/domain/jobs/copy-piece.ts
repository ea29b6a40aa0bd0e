/**
 * Copies a piece out of the source, of which its worker reads only the bytes that it needs. What it did not read looks
 * like zeros, which a decoder might conceal: what was made counts only if every packet of it is one that the inspection
 * saw.
 */
import { AppError } from '@vds/chassis/errors';
import { cutArguments, printedHashes, sourceName } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { rangesOf, READ_ON, type PieceBytes } from '../plan/piece-bytes.ts';
import type { Piece } from '../plan/pieces.ts';
import { isRunOf, listOfCopied, runBySizes, type CopiedRun, type PacketHash } from '../source/stored-packets.ts';
import type { EncodePorts } from './encode-ports.ts';

/** The list of the packets that were read before all of the source was there. */
export const copiedName = 'packets';
export const NOT_AS_PLANNED = 'not_as_planned';

type ReadPorts = Pick<EncodePorts, 'packets' | 'fetchBytes' | 'fetch' | 'readWhole' | 'put'>;

/** What is made of a part of the source. */
type Part = {
  /** For messages. */
  readonly name: string;
  readonly bytes: PieceBytes;
  /** Makes it of what is in the scratch folder; returns the packets that were read, in decode order. */
  readonly copy: () => Promise<PacketHash[]>;
};

/** Whether a piece's worker copies it by itself, and not one worker all of them. */
export function isCopiedAlone(piece: Piece): piece is Piece & { readonly bytes: PieceBytes } {
  return piece.bytes !== undefined;
}

/** @throws AppError INTERNAL where also the whole source yields other packets than the inspection saw */
export async function readKnown(ports: ReadPorts, plan: EncodePlan, { name, bytes, copy }: Part): Promise<void> {
  const list = await ports.packets(bytes);
  const isComplete = (copied: readonly PacketHash[]): boolean =>
    isRunOf(list, copied, { first: bytes.first - bytes.from, end: bytes.end - bytes.from });
  await ports.fetchBytes(rangesOf(bytes, plan.headers ?? []));
  if (isComplete(await copy().catch(nothingIfFailed))) return;
  ports.readWhole();
  await ports.fetch(sourceName);
  if (!isComplete(await copy())) throw new AppError('INTERNAL', `${name} is not what the inspection saw`);
}

/**
 * The same of a source that is still being fetched, of which the list has no more than the packets' sizes. What was read
 * is stored, to be compared with the list of the complete source.
 * @throws AppError INTERNAL with reason `not_as_planned` where the packets are not those of the index
 */
export async function readProvisional(
  ports: ReadPorts,
  plan: EncodePlan,
  { name, bytes, copy }: Part,
): Promise<CopiedRun> {
  const { from, first, end } = bytes;
  const list = await ports.packets(bytes);
  await ports.fetchBytes(rangesOf(bytes, plan.headers ?? []));
  const copied = await copy().catch(nothingIfFailed);
  const begin = runBySizes(list, copied, { first: first - from, end: end - from });
  // What lies behind was not read: its packets are zeros of the right sizes.
  if (begin === undefined || begin + copied.length > end - from + READ_ON)
    throw new AppError('INTERNAL', `${name} is not what the index says`, { reason: NOT_AS_PLANNED });
  await ports.put(copiedName, listOfCopied(copied), 'application/octet-stream');
  return { from: from + begin, count: copied.length };
}

/** The demuxer may fail where it meets bytes that were not read. */
function nothingIfFailed(error: unknown): PacketHash[] {
  if (error instanceof AppError && error.reason === 'tool_failed') return [];
  throw error;
}

/** Writes the piece's copy into the scratch folder; returns its packets in decode order. */
export async function copyOut(
  ports: Pick<EncodePorts, 'ffmpeg'>,
  { probe: { video, demuxer } }: EncodePlan,
  piece: Piece,
): Promise<PacketHash[]> {
  const printed = printedHashes();
  await ports.ffmpeg(cutArguments(video, piece, demuxer), [printed.read]);
  return printed.packets();
}
