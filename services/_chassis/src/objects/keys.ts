/**
 * Keys of a video's objects, which have the same shape in every bucket:
 * `videos/<id>/<attempt>/<job>.<fence>-<random>/…`.
 */
import { randomBytes } from 'node:crypto';

const RANDOM_LENGTH = 12;

/** The prefix of all objects of a video. */
export function videoPrefix(videoId: string): string {
  return `videos/${videoId}/`;
}

export function attemptPrefix(videoId: string, attempt: number): string {
  return `${videoPrefix(videoId)}${attempt}/`;
}

/**
 * A new folder for one try of one job: a try that lost its lease can only write into its own. Its random part keeps a
 * job that runs again on a restored database, where fences repeat, from overwriting objects in use. So a folder cannot
 * be derived: the row of the job's result names it.
 */
export function newJobFolder(job: string, fence: number): string {
  return `${job}.${fence}-${randomBytes(RANDOM_LENGTH / 2).toString('hex')}`;
}

/** `<job>.<fence>` of a folder, for comparison with rows of jobs. */
export function tryOfFolder(folder: string): string {
  return folder.replace(/(?<=\.\d+)-[0-9a-f]+$/, '');
}

/** The name of the job that a folder belongs to. */
export function jobOfFolder(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('.')));
}

/** The folder of a key below its attempt, or undefined for a key of another shape. */
export function folderOf(key: string): string | undefined {
  return /^videos\/[^/]+\/\d+\/([^/]+)\//.exec(key)?.[1];
}

/** The prefix of everything in the folder of a key; of a key of another shape, the key itself. */
export function folderPrefix(key: string): string {
  return /^videos\/[^/]+\/\d+\/[^/]+\//.exec(key)?.[0] ?? key;
}

/** The attempt that a key belongs to, or undefined for a key of another shape. */
export function attemptOf(key: string): number | undefined {
  const attempt = /^videos\/[^/]+\/(\d+)\//.exec(key)?.[1];
  return attempt === undefined ? undefined : Number(attempt);
}

/** The video that a key belongs to, or undefined for a key of another shape. */
export function videoOf(key: string): string | undefined {
  return /^videos\/([^/]+)\//.exec(key)?.[1];
}
