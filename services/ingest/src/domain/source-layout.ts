/** Object keys of sources. */

/** The fence is the one under which the upload began; a later claim that resumes the upload keeps its key. */
export function sourceKey(videoId: string, attempt: number, fence: number): string {
  return `${videoPrefix(videoId)}${attempt}/source.${fence}/original`;
}

/** The prefix of all objects of a video. */
export function videoPrefix(videoId: string): string {
  return `videos/${videoId}/`;
}

/** The attempt that a key belongs to, or undefined for a key of another shape. */
export function attemptOfKey(key: string): number | undefined {
  const attempt = /^videos\/[^/]+\/(\d+)\//.exec(key)?.[1];
  return attempt === undefined ? undefined : Number(attempt);
}
