/** One piece of a video: fetched, decoded once, stored as the final segments of every rung, with its stills. */
import { AppError } from '@vds/chassis/errors';
import { createRendition } from '../cmaf/rendition.ts';
import type { MadePiece } from '../hls/finished-title.ts';
import { initName, segmentName, sheetObject, thumbnailName } from '../hls/object-keys.ts';
import {
  encodeArguments,
  pieceName,
  posterName,
  segmentSeconds,
  sheetName,
  sourceName,
  videoTimescale,
  type Effort,
} from '../plan/encode-arguments.ts';
import { stillsRung } from '../plan/filter-graph.ts';
import { tolerance, type Piece } from '../plan/pieces.ts';
import { thumbnailPiece, tileTimes } from '../plan/stills.ts';
import type { TitlePlan } from '../plan/title-plan.ts';

export type Pipe = (stream: AsyncIterable<Uint8Array>) => Promise<void>;

export type PiecePorts = {
  /** Fetches the piece, or the whole source, into the scratch folder under this name. */
  readonly fetch: (name: string) => Promise<void>;
  readonly encode: (args: readonly string[], pipes: readonly Pipe[]) => Promise<void>;
  /** Stores an object under a name below the job's folder. */
  readonly put: (name: string, body: Buffer, contentType: string) => Promise<void>;
  /** A file of the scratch folder; undefined where there is none. */
  readonly read: (name: string) => Promise<Buffer | undefined>;
  readonly progress: (percent: number) => void;
};

/**
 * @param folder the job's own folder, below the attempt
 * @throws AppError INTERNAL where the encoder failed or lost output
 */
export async function encodePiece(
  ports: PiecePorts,
  plan: TitlePlan,
  index: number,
  folder: string,
  effort: Effort,
): Promise<MadePiece> {
  const piece = plan.pieces[index];
  if (!piece) throw new AppError('INTERNAL', `the plan has no piece ${index}`);
  const cut = plan.pieces.length > 1;
  const name = cut ? pieceName : sourceName;
  await ports.fetch(name);
  const thumbnail = index === thumbnailPiece(plan.pieces);
  const args = encodeArguments({
    ...plan,
    video: plan.facts.video,
    demuxer: plan.facts.demuxer,
    piece,
    thumbnail,
    effort,
    file: name,
    stream: cut ? 0 : plan.facts.video.index,
  });
  const times: number[] = [];
  const renditions = startRenditions(ports, plan, piece, times);
  await ports.encode(
    args,
    renditions.map(({ read }) => read),
  );
  const rungs = renditions.map(({ result }) => result());
  const tiles = tileTimes(times, plan.storyboard.interval);
  const sheets = await storeSheets(ports);
  const perSheet = plan.storyboard.columns * plan.storyboard.rows;
  if (sheets !== Math.ceil(tiles.length / perSheet))
    throw new AppError('INTERNAL', `${tiles.length} storyboard tiles are on ${sheets} sheets`);
  const widestGap = widestGapOf(times);
  return {
    index,
    folder,
    rungs,
    tiles,
    sheets,
    widestGap,
    thumbnail: thumbnail ? await storePoster(ports, plan) : null,
  };
}

/** One rendition a rung; `times` collects when the pictures are shown, in ticks. */
function startRenditions(ports: PiecePorts, plan: TitlePlan, piece: Piece, times: number[]) {
  const length = piece.until - (piece.from ?? 0);
  const reached = (shown: readonly number[]): void => {
    times.push(...shown);
    const last = (shown.at(-1) ?? 0) / videoTimescale - (piece.from ?? 0);
    ports.progress(Math.min(99, Math.max(0, (last / length) * 100)));
  };
  return plan.rungs.map(({ name }, place) => {
    const options = {
      name,
      grid: { cell: segmentSeconds * videoTimescale, tolerance: tolerance * videoTimescale },
      shift: plan.shift,
      sequence: sequenceOf(piece),
      end: Math.round(piece.until * videoTimescale),
      initName,
      segmentName,
    };
    return createRendition(options, {
      put: (file, bytes) => ports.put(`v/${name}/${file}`, bytes, 'video/mp4'),
      reached: place === 0 ? reached : () => {},
    });
  });
}

/** Fragments of a piece are numbered from a number that no piece before it can reach. */
function sequenceOf(piece: Piece): number {
  return piece.index * 1_000_000 + 1;
}

async function storeSheets(ports: PiecePorts): Promise<number> {
  for (let sheet = 0; ; sheet++) {
    const body = await ports.read(sheetName.replace('%d', String(sheet)));
    if (!body) return sheet;
    await ports.put(sheetObject(sheet), body, 'image/jpeg');
  }
}

/** The position and the length of the longest time between two pictures, in ticks. */
function widestGapOf(times: readonly number[]): MadePiece['widestGap'] {
  let widest = { at: times[0] ?? 0, length: 0 };
  times.forEach((time, index) => {
    const at = times[index - 1] ?? time;
    if (time - at > widest.length) widest = { at, length: time - at };
  });
  return widest;
}

async function storePoster(ports: PiecePorts, plan: TitlePlan): Promise<MadePiece['thumbnail']> {
  const body = await ports.read(posterName);
  if (!body) throw new AppError('INTERNAL', 'the encoder gave no thumbnail');
  await ports.put(thumbnailName, body, 'image/jpeg');
  const rung = plan.rungs[stillsRung(plan.rungs)] ?? plan.rungs[0];
  return { width: rung.width, height: rung.height };
}
