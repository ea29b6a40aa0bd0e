/** The correction of one cue: its text, between its own times. */
import type { TextCue } from '@vds/proto/documents/texts';
import { AppError } from '@vds/chassis/errors';
import { breakLine } from './layout/break-line.ts';
import { plainCueLine } from './vtt/parse-track-file.ts';

export type CueFix = {
  /** From 1; 0 where `atMs` says which cue. */
  readonly number: number;
  /** A time at which the cue is shown. */
  readonly atMs: number;
  readonly text: string;
};

/** The most that two lines hold, with room for what is written without spaces. */
const MAX_TEXT = 200;

/**
 * The cues of a track with one of them fixed, and its number from 1.
 * @throws AppError INVALID_ARGUMENT for a text that is none, NOT_FOUND where there is no such cue
 */
export function fixCue(cues: readonly TextCue[], { number, atMs, text }: CueFix, language: string) {
  const plain = plainCueLine(text);
  if (plain === '' || plain.length > MAX_TEXT)
    throw new AppError('INVALID_ARGUMENT', `the text of a cue must have 1 to ${MAX_TEXT} characters`);
  const index = number > 0 ? number - 1 : cues.findLastIndex(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  const cue = cues[index];
  if (cue === undefined)
    throw new AppError(
      'NOT_FOUND',
      number > 0 ? `the track has ${cues.length} cues` : 'the track has no cue at this time',
    );
  return { cues: cues.with(index, { ...cue, lines: breakLine(plain, language) }), number: index + 1 };
}
