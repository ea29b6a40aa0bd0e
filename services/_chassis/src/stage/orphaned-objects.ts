/**
 * What a remaining video no longer needs of an attempt: files of tries that lost their lease, whenever written, and of
 * replaced results. Every try writes into its own folder, and rows name the folders of the winning tries.
 */
import type { Executor } from '../database/database.ts';
import { attemptPrefix, jobOfFolder, tryOfFolder } from '../objects/keys.ts';
import type { Objects } from '../objects/objects.ts';
import type { StageKey } from './stage-rows.ts';

type AttemptKey = Pick<StageKey, 'videoId' | 'attempt'>;

/**
 * Reads the folders of an attempt that the service's rows refer to, each by its name or as a try (`tryOfFolder`);
 * undefined while the attempt has no result: nothing can be judged then.
 */
export type FindWinners = (client: Executor, attempt: AttemptKey) => Promise<ReadonlySet<string> | undefined>;

type Deps = { readonly objects: Objects; readonly client: Executor; readonly findWinners: FindWinners };

/**
 * Keys of an attempt that no row refers to and no job may still be writing. The keys are listed first: every listed
 * folder was started before the rows are read, so it is being written, referred to, or lost.
 * @returns undefined while the attempt has no result
 */
export async function orphanedKeys(
  { objects, client, findWinners }: Deps,
  attempt: AttemptKey,
): Promise<ReadonlySet<string> | undefined> {
  const prefix = attemptPrefix(attempt.videoId, attempt.attempt);
  const keys = await objects.leftovers(prefix);
  const unfinished = await unfinishedJobs(client, attempt);
  const winners = await findWinners(client, attempt);
  if (!winners) return undefined;
  return new Set(keys.filter((key) => isOrphaned(key.slice(prefix.length), winners, unfinished)));
}

async function unfinishedJobs(client: Executor, { videoId, attempt }: AttemptKey): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM chassis.jobs WHERE video_id = $1 AND attempt = $2 AND state IN ('ready', 'running')`,
    [videoId, attempt],
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Whether nothing needs a file.
 * @param path below the attempt: a folder of any job, and its content
 * @param unfinished names of jobs that may still write
 */
export function isOrphaned(path: string, winners: ReadonlySet<string>, unfinished: ReadonlySet<string>): boolean {
  const [folder = ''] = path.split('/', 1);
  return !winners.has(folder) && !winners.has(tryOfFolder(folder)) && !unfinished.has(jobOfFolder(folder));
}
