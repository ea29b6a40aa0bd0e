/** Where a title's objects lie in the media bucket. The part behind the attempt is also their path for players. */

/** Everything of a video, and everything of one attempt at it. */
export const videoPrefix = (videoId: string): string => `videos/${videoId}/`;
export const attemptPrefix = (videoId: string, attempt: number): string => `videos/${videoId}/${attempt}/`;

/** The folder of one try at one unit; a try that lost its lease can only ever write into its own. */
export const unitFolder = (unit: string, fence: number): string => `${unit}.${fence}`;

export const initName = 'init.mp4';
export const segmentName = (number: number): string => `seg-${String(number).padStart(5, '0')}.m4s`;
export const sheetObject = (number: number): string => `storyboard-${number}.jpg`;
export const thumbnailName = 'thumbnail.jpg';
export const playlistName = 'index.m3u8';

/** `path` (below the attempt) as an address relative to the file `from` (below the attempt). */
export const relativeUri = (from: string, path: string): string => `${'../'.repeat(from.split('/').length - 1)}${path}`;
