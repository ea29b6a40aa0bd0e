/**
 * Copies a piece out of the source, of which its worker reads only the bytes that it needs. What it did not read looks
 * like zeros, which a decoder might conceal: the copy counts only if every packet in it is one that the inspection saw.
 */
import { AppError } from '@vds/chassis/errors';
import { cutArguments, readCopied, sourceName } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { rangesOf, READ_ON, type PieceBytes } from '../plan/piece-bytes.ts';
import type { Piece } from '../plan/pieces.ts';
import { isRunOf, listOfCopied, runBySizes, type CopiedRun, type PacketHash } from '../source/stored-packets.ts';
import type { EncodePorts } from './encode-ports.ts';

/** The list of the packets that were copied before all of the source was there. */
export const copiedName = 'packets';
export const NOT_AS_PLANNED = 'not_as_planned';

/** Whether a piece's worker copies it by itself, and not one worker all of them. */
export function isCopiedAlone(piece: Piece): piece is Piece & { readonly bytes: PieceBytes } {
  return piece.bytes !== undefined;
}

/** @throws AppError INTERNAL where also the whole source yields other packets than the inspection saw */
export async function copyPiece(
  ports: Omit<EncodePorts, 'ffmpegs' | 'move'>,
  plan: EncodePlan,
  piece: Piece & { readonly bytes: PieceBytes },
): Promise<void> {
  const list = await ports.packets(piece.bytes);
  const isComplete = (copied: readonly PacketHash[]): boolean =>
    isRunOf(list, copied, { first: piece.bytes.first - piece.bytes.from, end: piece.bytes.end - piece.bytes.from });
  await ports.fetchBytes(rangesOf(piece.bytes, plan.headers ?? []));
  if (isComplete(await copyOut(ports, plan, piece).catch(nothingIfFailed))) return;
  ports.readWhole();
  await ports.fetch(sourceName);
  if (!isComplete(await copyOut(ports, plan, piece)))
    throw new AppError('INTERNAL', `piece ${piece.index} is not what the inspection saw`);
}

/**
 * Copies a piece out of a source that is still being fetched, of which the list has no more than the packets' sizes. What
 * was copied is stored, for the assembly to compare with the list of the complete source.
 * @throws AppError INTERNAL with reason `not_as_planned` where the packets are not those of the index
 */
export async function copyProvisional(
  ports: Omit<EncodePorts, 'ffmpegs' | 'move'>,
  plan: EncodePlan,
  piece: Piece & { readonly bytes: PieceBytes },
): Promise<CopiedRun> {
  const { from, first, end } = piece.bytes;
  const list = await ports.packets(piece.bytes);
  await ports.fetchBytes(rangesOf(piece.bytes, plan.headers ?? []));
  const copied = await copyOut(ports, plan, piece).catch(nothingIfFailed);
  const place = runBySizes(list, copied, { first: first - from, end: end - from });
  // What lies behind was not read: its packets are zeros of the right sizes.
  if (place === undefined || place + copied.length > end - from + READ_ON)
    throw new AppError('INTERNAL', `piece ${piece.index} is not what the index says`, { reason: NOT_AS_PLANNED });
  await ports.put(copiedName, listOfCopied(copied), 'application/octet-stream');
  return { from: from + place, count: copied.length };
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
  const printed: Uint8Array[] = [];
  const read = async (stream: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of stream) printed.push(chunk);
  };
  await ports.ffmpeg(cutArguments(video, piece, demuxer), [read]);
  const lines = Buffer.concat(printed).toString('latin1').split('\n');
  return lines.flatMap((line) => readCopied(line) ?? []);
}
