/** Object keys in the media bucket. The part after the attempt is also the path for players. */

export const initName = 'init.mp4';
export const thumbnailName = 'thumbnail.jpg';
export const playlistName = 'index.m3u8';
/** The cache-control of everything that is stored for players. */
export const immutable = 'private, max-age=31536000, immutable';

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

export function segmentName(number: number): string {
  return `seg-${String(number).padStart(5, '0')}.m4s`;
}

export function sheetObject(number: number): string {
  return `storyboard-${number}.jpg`;
}

/** `path` (below the attempt) as an address relative to the file `from` (below the attempt). */
export function relativeUri(from: string, path: string): string {
  return `${'../'.repeat(from.split('/').length - 1)}${path}`;
}
