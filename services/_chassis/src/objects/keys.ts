/** Keys of a video's objects, which have the same shape in every bucket: `videos/<id>/<attempt>/<job>.<fence>/…`. */

/** The prefix of all objects of a video. */
export function videoPrefix(videoId: string): string {
  return `videos/${videoId}/`;
}

export function attemptPrefix(videoId: string, attempt: number): string {
  return `${videoPrefix(videoId)}${attempt}/`;
}

/** The folder of one try of one job; a try that lost its lease can only write into its own. */
export function jobFolder(job: string, fence: number): string {
  return `${job}.${fence}`;
}

/** The video that a key belongs to, or undefined for a key of another shape. */
export function videoOf(key: string): string | undefined {
  return /^videos\/([^/]+)\//.exec(key)?.[1];
}

/** The name of the job that a folder belongs to. */
export function jobOfFolder(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('.')));
}

/** The folder of a key below its attempt, or undefined for a key of another shape. */
export function folderOf(key: string): string | undefined {
  return /^videos\/[^/]+\/\d+\/([^/]+)\//.exec(key)?.[1];
}

/** The attempt that a key belongs to, or undefined for a key of another shape. */
export function attemptOf(key: string): number | undefined {
  const attempt = /^videos\/[^/]+\/(\d+)\//.exec(key)?.[1];
  return attempt === undefined ? undefined : Number(attempt);
}
