/** Object keys in the captions bucket. */
import type { TrackState } from './track.ts';

/** Folders, below the attempt, that a state refers to. */
export function foldersOf(state: TrackState): ReadonlySet<string> {
  const keys = [state.transcriptKey, ...state.tracks.flatMap(({ playlistKey, textKey }) => [playlistKey, textKey])];
  return new Set(keys.flatMap((key) => key?.split('/').at(-2) ?? []));
}
