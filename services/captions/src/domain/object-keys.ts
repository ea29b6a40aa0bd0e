/** Object keys in the captions bucket. */
import type { TrackState } from './track.ts';

/** Folders, below the attempt, that a state refers to. */
export function foldersOf(state: TrackState): ReadonlySet<string> {
  // The English of what was spoken stays where a correction replaces the transcript.
  const keys = [
    state.transcriptKey,
    state.englishKey,
    ...state.tracks.flatMap(({ playlistKey, textKey }) => [playlistKey, textKey]),
  ];
  return new Set(keys.flatMap((key) => key?.split('/').at(-2) ?? []));
}
