/** Compares found moments with what happened. */
import type { KeyMoment } from '@vds/metadata/domain/model';
import { isMoment, type Game } from './made-games.ts';

export type Judgement = {
  /** Of the first ten. */
  readonly found: number;
  readonly right: number;
  /** Of all. */
  readonly recalled: number;
  readonly known: number;
  /** What the wrong ones are of. */
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
};

const MOMENTS = 10;
const NEAR_SECONDS = 30;

/** A moment is right where it shows what happened, each once. */
export function judge({ happenings }: Game, moments: readonly KeyMoment[]): Judgement {
  const left = new Set(happenings.filter(isMoment));
  const known = left.size;
  const verdicts = moments.map((moment) => {
    const shows = (at: number): boolean => moment.startMs <= at * 1_000 && at * 1_000 < moment.endMs;
    const shown = [...left].find(({ at }) => shows(at));
    if (shown) left.delete(shown);
    return shown !== undefined;
  });
  const wrong = moments
    .filter((_moment, index) => verdicts[index] === false)
    .map(({ startMs, score, reasons }) => {
      const near = happenings.find(({ at }) => Math.abs(at * 1_000 - startMs) < NEAR_SECONDS * 1_000);
      return `${near?.kind ?? 'nothing'} at ${Math.round(startMs / 1_000)} s (${score}: ${reasons.join(', ')})`;
    });
  return {
    found: Math.min(MOMENTS, moments.length),
    right: verdicts.slice(0, MOMENTS).filter(Boolean).length,
    recalled: known - left.size,
    known,
    wrong,
    missed: [...left].map(({ kind, at }) => `${kind} at ${Math.round(at)} s`),
  };
}
