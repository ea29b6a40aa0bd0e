/** Object keys in the captions bucket. */
import type { TrackState } from './track.ts';

/** Folders (with a trailing slash) that a state refers to. */
export function foldersOf(state: TrackState): Set<string> {
  return new Set(
    [state.transcriptKey, ...state.tracks.flatMap(({ playlistKey, textKey }) => [playlistKey, textKey])]
      .filter((key) => key !== undefined)
      .map(folderOf),
  );
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1);
}
