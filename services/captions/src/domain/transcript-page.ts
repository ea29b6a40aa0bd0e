/** A page of a transcript, so that a response stays far below the 4 MB of gRPC. */
import type { TextCue } from '@vds/proto/documents/texts';
import { AppError } from '@vds/chassis/errors';

type NamedTrack = { readonly language: string; readonly kind: string };
type Page = {
  cues: { startMs: number; endMs: number; lines: string[] }[];
  /** Empty: there are no more. */
  nextCursor: string;
};

/** Four lines of 200 characters, of up to four bytes each, make 3.2 KB of the longest cue. */
const MAX_CUES = 2_000;
const MAX_CHARACTERS = 500_000;

/**
 * The track that is asked for; undefined where what is spoken is not ready.
 * @param tracks those that are ready
 * @param language BCP 47; '' for what is spoken
 * @throws AppError INVALID_ARGUMENT for a language without a track
 */
export function trackIn<T extends NamedTrack>(tracks: readonly T[], language: string): T | undefined {
  const found =
    language === ''
      ? tracks.find(({ kind }) => kind === 'captions')
      : tracks.find((track) => track.language === language);
  if (found || language === '') return found;
  const ready = tracks.map((track) => track.language).join(' ') || 'none';
  throw new AppError('INVALID_ARGUMENT', `language_code must be one of the languages that are ready: ${ready}`);
}

/**
 * The page that begins at `cursor`, the number of a cue.
 * @throws AppError INVALID_ARGUMENT for any other text
 */
export function pageOf(cues: readonly TextCue[], cursor: string): Page {
  if (!/^\d{0,6}$/.test(cursor))
    throw new AppError('INVALID_ARGUMENT', 'cursor must be next_cursor of the page before');
  const from = Number(cursor);
  let characters = 0;
  let to = from;
  for (const { lines } of cues.slice(from, from + MAX_CUES)) {
    characters += lines.join('').length;
    if (to > from && characters > MAX_CHARACTERS) break;
    to += 1;
  }
  return {
    cues: cues.slice(from, to).map((cue) => ({ ...cue, lines: [...cue.lines] })),
    nextCursor: to < cues.length ? String(to) : '',
  };
}
