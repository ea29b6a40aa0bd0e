/** Which folders are in use: those of ready or running jobs, and of tracks that were replaced recently. */
import type { Executor } from '@vds/chassis/database/database';
import type { CaptionJob } from '../domain/caption-job.ts';
import { jobFolder } from '../domain/object-keys.ts';

type Key = Pick<CaptionJob, 'videoId' | 'attempt'>;

/** Names of jobs that are ready or running, and may be writing to their folders. */
export async function jobsInProgress(client: Executor, { videoId, attempt }: Key): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM chassis.jobs
     WHERE stage = 'captions' AND video_id = $1 AND attempt = $2 AND state IN ('ready', 'running')`,
    [videoId, attempt],
  );
  return rows.map(({ name }) => name);
}

/**
 * Folders of tracks that were replaced within so many milliseconds.
 * @param named the folders of the current tracks
 */
export async function foldersReplacedWithin(
  client: Executor,
  { videoId, attempt }: Key,
  named: readonly string[],
  withinMs: number,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; fence: number }>(
    // The first number in a job's name is its generation.
    `SELECT old.name, old.fence FROM chassis.jobs old
     WHERE stage = 'captions' AND video_id = $1 AND attempt = $2 AND state = 'done'
       AND EXISTS (SELECT 1 FROM chassis.jobs new
         WHERE new.stage = 'captions' AND new.video_id = $1 AND new.attempt = $2
           AND new.name || '.' || new.fence = ANY ($3) AND new.finished_at > now() - $4 * interval '1 millisecond'
           AND regexp_replace(new.name, '[0-9]+', '') = regexp_replace(old.name, '[0-9]+', ''))`,
    [videoId, attempt, named, withinMs],
  );
  return rows.map(({ name, fence }) => jobFolder(name, fence));
}
