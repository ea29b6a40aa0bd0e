/** Object keys in the captions bucket. */
import type { TrackState } from './track.ts';

/** The prefixes of a video and of one attempt. */
export function videoPrefix(videoId: string): string {
  return `videos/${videoId}/`;
}

export function attemptPrefix(videoId: string, attempt: number): string {
  return `videos/${videoId}/${attempt}/`;
}

/** The folder of one try of one job; a try that lost its lease can only write into its own. */
export function jobFolder(job: string, fence: number): string {
  return `${job}.${fence}`;
}

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
