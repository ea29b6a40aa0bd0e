/** The last check of encode: holds what was made against what was planned. */
import { AppError } from '@vds/shared/errors';
import type { MadeRendition } from '../cmaf/rendition.ts';
import { refusal } from '../source/policy.ts';
import type { TitlePlan } from '../plan/title-plan.ts';

export type MadePiece = {
  readonly index: number;
  /** Folder below the attempt. */
  readonly folder: string;
  readonly rungs: readonly MadeRendition[];
  /** Ticks at which storyboard tiles were taken, and how many sheets they fill. */
  readonly tiles: readonly number[];
  readonly sheets: number;
  readonly thumbnail: { readonly width: number; readonly height: number } | null;
};

export type MadeAudio = MadeRendition & { readonly folder: string };

/** Pieces whose init segments differ cannot be joined; the title must be encoded as one piece. */
export const unjoinable = 'pieces_unjoinable';

const videoTicks = 90_000;

const checkFrames = (plan: TitlePlan, piece: MadePiece): void => {
  const wanted = plan.pieces[piece.index]?.frames;
  for (const rung of piece.rungs) {
    if (rung.samples !== piece.rungs[0]?.samples)
      throw new AppError('INTERNAL', `rungs of piece ${piece.index} differ in frames`);
    if (wanted === undefined || rung.samples === wanted) continue;
    if (rung.samples > wanted)
      throw new AppError('INTERNAL', `piece ${piece.index} has ${rung.samples} frames, its source has ${wanted}`);
    // A picture or two that cannot be decoded, as after a cut in an open group, is no reason to refuse a title.
    if (wanted - rung.samples > Math.max(3, wanted * 0.02))
      throw refusal('source_corrupt', `piece ${piece.index}: ${rung.samples} of ${wanted} frames could be decoded`);
  }
};

const checkSeams = (plan: TitlePlan, pieces: readonly MadePiece[]): void => {
  const slack = (plan.timeline.longestGap + 0.1) * videoTicks;
  pieces.forEach((piece, index) => {
    const before = pieces[index - 1];
    piece.rungs.forEach((rung, place) => {
      const start = before ? (before.rungs[place]?.end ?? 0) : 0;
      if (Math.abs(rung.start - start) > slack)
        throw new AppError('INTERNAL', `piece ${index} of ${rung.name} begins at ${rung.start}, not at ${start}`);
      if (before && before.rungs[place]?.init !== rung.init)
        throw new AppError('FAILED_PRECONDITION', `${rung.name} of piece ${index} differs in its init segment`, {
          reason: unjoinable,
        });
    });
  });
};

/**
 * @throws AppError INVALID_ARGUMENT `source_corrupt` where pictures or sound are missing; FAILED_PRECONDITION with reason
 * `pieces_unjoinable`; INTERNAL where we went wrong
 */
export const verifyTitle = (plan: TitlePlan, pieces: readonly MadePiece[]): void => {
  if (pieces.length !== plan.pieces.length || pieces.some((piece, index) => piece.index !== index))
    throw new AppError('INTERNAL', `${pieces.length} of ${plan.pieces.length} pieces are there`);
  for (const piece of pieces) checkFrames(plan, piece);
  checkSeams(plan, pieces);
  const end = (pieces.at(-1)?.rungs[0]?.end ?? 0) / videoTicks;
  if (end < plan.timeline.videoEnd * 0.98 - 1)
    throw refusal('source_corrupt', `pictures end at ${end} of ${plan.timeline.videoEnd} s`);
};

/** @throws AppError INVALID_ARGUMENT `source_corrupt` where sound is missing: never a mute video */
export const verifyAudio = (plan: TitlePlan, { end, timescale }: MadeAudio): void => {
  const wanted = plan.timeline.audioEnd;
  if (wanted !== undefined && end / timescale < wanted * 0.98 - 1)
    throw refusal('source_corrupt', `sound ends at ${end / timescale} of ${wanted} s`);
};
