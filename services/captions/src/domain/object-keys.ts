/** Where a title's tracks lie in the captions bucket. */
import type { TrackState } from './track.ts';

/** Everything of a video, and everything of one attempt at it. */
export const videoPrefix = (videoId: string): string => `videos/${videoId}/`;
export const attemptPrefix = (videoId: string, attempt: number): string => `videos/${videoId}/${attempt}/`;

/** The folder of one try at one unit; a try that lost its lease can only ever write into its own. */
export const unitFolder = (unit: string, fence: number): string => `${unit}.${fence}`;

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

/** Folders (with a slash at their end) that a state names. */
export const foldersOf = (state: TrackState): Set<string> =>
  new Set(
    [state.transcriptKey, ...state.tracks.flatMap(({ playlistKey, textKey }) => [playlistKey, textKey])]
      .filter((key) => key !== undefined)
      .map(folderOf),
  );
