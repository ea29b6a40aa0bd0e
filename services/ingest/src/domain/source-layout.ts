/** Where sources lie in their bucket. */

/** Everything of a video. */
export const videoPrefix = (videoId: string): string => `videos/${videoId}/`;

/** The fence is the one under which the upload began; a later claim that goes on with the upload keeps its key. */
export const sourceKey = (videoId: string, attempt: number, fence: number): string =>
  `${videoPrefix(videoId)}${attempt}/source.${fence}/original`;

/** The attempt that a key belongs to, or undefined for a key of another shape. */
export const attemptOfKey = (key: string): number | undefined => {
  const attempt = /^videos\/[^/]+\/(\d+)\//.exec(key)?.[1];
  return attempt === undefined ? undefined : Number(attempt);
};
