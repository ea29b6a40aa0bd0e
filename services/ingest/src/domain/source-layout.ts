/** Where sources lie in their bucket. */

/** The fence is the one under which the upload began; a later claim that goes on with the upload keeps its key. */
export function sourceKey(videoId: string, attempt: number, fence: number): string {
  return `${videoPrefix(videoId)}${attempt}/source.${fence}/original`;
}

/** Everything of a video. */
export function videoPrefix(videoId: string): string {
  return `videos/${videoId}/`;
}

/** The attempt that a key belongs to, or undefined for a key of another shape. */
export function attemptOfKey(key: string): number | undefined {
  const attempt = /^videos\/[^/]+\/(\d+)\//.exec(key)?.[1];
  return attempt === undefined ? undefined : Number(attempt);
}
