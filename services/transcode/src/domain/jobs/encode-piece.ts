/** One piece of a video: fetched, decoded once, stored as the final segments of every rung, with its stills. */
import { AppError } from '@vds/chassis/errors';
import { createRendition } from '../cmaf/rendition.ts';
import { sheetObject, thumbnailName } from '../object-keys.ts';
import { encodeArguments, inputName, posterName, sheetName, VIDEO_TIMESCALE } from '../plan/encode-arguments.ts';
import type { Effort } from '../plan/effort.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { stillsRung } from '../plan/filter-graph.ts';
import { TOLERANCE, type Piece } from '../plan/pieces.ts';
import { SEGMENT_SECONDS } from '../plan/segment-grid.ts';
import { tileTimes } from '../plan/stills.ts';
import type { CopiedRun } from '../source/stored-packets.ts';
import { copyOut, isCopiedAlone, readKnown, readProvisional } from './copy-piece.ts';
import type { EncodePorts } from './encode-ports.ts';
import type { EncodedPiece } from '../plan/job-results.ts';

type PiecePorts = Omit<EncodePorts, 'ffmpegs' | 'move'>;

/**
 * @param isProvisional the source is still being fetched
 * @throws AppError INTERNAL if the encoder failed or lost output; as `readProvisional`, too
 */
export async function encodePiece(
  ports: PiecePorts,
  plan: EncodePlan,
  index: number,
  effort: Effort,
  isProvisional = false,
): Promise<EncodedPiece> {
  const piece = pieceOf(plan, index);
  const copied = await fetchPiece(ports, plan, piece, isProvisional);
  return { ...(await encodeCopy(ports, plan, piece, effort)), ...(copied && { copied }) };
}

/** Returns the packets that it is copied from, where they are not known yet. */
async function fetchPiece(
  ports: PiecePorts,
  plan: EncodePlan,
  piece: Piece,
  isProvisional: boolean,
): Promise<CopiedRun | undefined> {
  if (!isCopiedAlone(piece)) {
    await ports.fetch(inputName(plan));
    return undefined;
  }
  const part = { name: `piece ${piece.index}`, bytes: piece.bytes, copy: () => copyOut(ports, plan, piece) };
  if (isProvisional) return readProvisional(ports, plan, part);
  await readKnown(ports, plan, part);
  return undefined;
}

function pieceOf({ pieces }: EncodePlan, index: number): Piece {
  const piece = pieces[index];
  if (!piece) throw new AppError('INTERNAL', `the plan has no piece ${index}`);
  return piece;
}

async function encodeCopy(ports: PiecePorts, plan: EncodePlan, piece: Piece, effort: Effort): Promise<EncodedPiece> {
  if (plan.copiesTop !== undefined) {
    const copied = await encodeOnce(ports, plan, piece, effort).catch(nothingIfFailed);
    if (copied && isLikeNext(copied.rungs)) return copied;
    ports.copyRejected();
  }
  return encodeOnce(ports, { ...plan, copiesTop: undefined }, piece, effort);
}

/** Packets that cannot be copied may still be decoded. */
function nothingIfFailed(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'INTERNAL') throw error;
}

/** A copied rung has the pictures and the segments of the next one, which was made of what could be decoded. */
function isLikeNext([copied, next]: EncodedPiece['rungs']): boolean {
  if (!copied || !next) return false;
  const near = (one: number, other: number): boolean => Math.abs(one - other) <= 2;
  return (
    copied.samples === next.samples &&
    near(copied.start, next.start) &&
    near(copied.last, next.last) &&
    copied.segments.length === next.segments.length &&
    copied.segments.every(({ duration }, index) => near(duration, next.segments[index]?.duration ?? 0))
  );
}

async function encodeOnce(ports: PiecePorts, plan: EncodePlan, piece: Piece, effort: Effort): Promise<EncodedPiece> {
  const { index } = piece;
  const times: number[] = [];
  const renditions = startRenditions(ports, plan, piece, times);
  await ports.ffmpeg(
    encodeArguments(plan, piece, effort),
    renditions.map(({ read }) => read),
  );
  const rungs = renditions.map(({ result }) => result());
  const tiles = tileTimes(times, plan.storyboard.interval);
  const sheets = await storeSheets(ports);
  const perSheet = plan.storyboard.columns * plan.storyboard.rows;
  if (sheets !== Math.ceil(tiles.length / perSheet))
    throw new AppError('INTERNAL', `${tiles.length} storyboard tiles are on ${sheets} sheets`);
  const thumbnail = index === plan.poster ? await storePoster(ports, plan) : null;
  return { kind: 'piece', index, folder: ports.folder, rungs, tiles, sheets, widestGap: widestGapOf(times), thumbnail };
}

/** One rendition a rung; `times` collects when the pictures are shown, in ticks. */
function startRenditions(ports: PiecePorts, plan: EncodePlan, piece: Piece, times: number[]) {
  const length = piece.until - (piece.from ?? 0);
  const reached = (shown: readonly number[]): void => {
    times.push(...shown);
    const last = (shown.at(-1) ?? 0) / VIDEO_TIMESCALE - (piece.from ?? 0);
    ports.progress(Math.min(99, Math.max(0, (last / length) * 100)));
  };
  return plan.rungs.map(({ name }, place) => {
    const options = {
      name,
      grid: { cell: SEGMENT_SECONDS * VIDEO_TIMESCALE, tolerance: TOLERANCE * VIDEO_TIMESCALE },
      shift: plan.shift,
      // Fragments of a piece are numbered from a number that no piece before it can reach.
      sequence: piece.index * 1_000_000 + 1,
      end: Math.round(piece.until * VIDEO_TIMESCALE),
      ...(place === 0 && plan.copiesTop !== undefined && { copied: copiedPart(plan, piece) }),
    };
    return createRendition(options, {
      put: (file, bytes) => ports.put(`v/${name}/${file}`, bytes, 'video/mp4'),
      reached: place === plan.rungs.length - 1 ? reached : () => {},
    });
  });
}

function copiedPart({ timeline: { zero } }: EncodePlan, { from = -Infinity, to = Infinity }: Piece) {
  return { zero, from, to, timescale: VIDEO_TIMESCALE };
}

async function storeSheets(ports: PiecePorts): Promise<number> {
  for (let sheet = 0; ; sheet++) {
    const body = await ports.read(sheetName.replace('%d', String(sheet + 1)));
    if (!body) return sheet;
    await ports.put(sheetObject(sheet), body, 'image/jpeg');
  }
}

/** The position and the length of the longest time between two pictures, in ticks. */
function widestGapOf(times: readonly number[]): EncodedPiece['widestGap'] {
  let widest = { at: times[0] ?? 0, length: 0 };
  times.forEach((time, index) => {
    const at = times[index - 1] ?? time;
    if (time - at > widest.length) widest = { at, length: time - at };
  });
  return widest;
}

async function storePoster(ports: PiecePorts, plan: EncodePlan): Promise<EncodedPiece['thumbnail']> {
  const body = await ports.read(posterName.replace('%d', '1'));
  if (!body) throw new AppError('INTERNAL', 'the encoder gave no thumbnail');
  await ports.put(thumbnailName, body, 'image/jpeg');
  const rung = plan.rungs[stillsRung(plan.rungs)] ?? plan.rungs[0];
  return { width: rung.width, height: rung.height };
}
