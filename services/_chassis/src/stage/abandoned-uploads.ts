/**
 * Aborts multipart uploads that nobody will finish: of processes that ended before recording or aborting them. Parts of
 * an upload take space forever, and no listing of objects shows them.
 */
import type { Executor, Pool } from '../database/database.ts';
import { runExclusively } from '../database/leader-lock.ts';
import { attemptOf, folderOf, jobOfFolder, videoOf } from '../objects/keys.ts';
import type { Objects } from '../objects/objects.ts';
import type { UnfinishedUpload } from '../objects/removal.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

type Deps = {
  readonly pool: Pool;
  readonly objects: Pick<Objects, 'listUploads' | 'abortUpload'>;
  readonly log: Logger;
  /** Younger uploads may not be recorded yet; longer than any lease. */
  readonly olderThanMs: number;
};

/** Starts the periodic task `abort-uploads`; one replica at a time runs it. */
export function startAbortingUploads(deps: Deps & { readonly metrics: Metrics }) {
  const { pool, log, metrics, olderThanMs: everyMs } = deps;
  const abort = async (): Promise<void> => {
    const aborted = await abortAbandoned(deps, Date.now());
    if (aborted > 0) log.info({ uploads: aborted }, 'abandoned uploads aborted');
  };
  const task = () => runExclusively(pool, 'abort-uploads', 0.9 * everyMs, abort);
  return startPeriodic({ log, metrics, everyMs, tasks: { 'abort-uploads': task } });
}

/**
 * @param nowMs milliseconds since the epoch
 * @returns how many uploads were aborted
 */
export async function abortAbandoned(deps: Deps, nowMs: number): Promise<number> {
  const { pool, objects, olderThanMs } = deps;
  // Listed first: an upload of a job that starts later is not in the list.
  const uploads = await objects.listUploads('videos/');
  const old = uploads.filter(({ initiated }) => nowMs - initiated.getTime() > olderThanMs);
  if (old.length === 0) return 0;
  const unfinished = await unfinishedJobs(pool, old);
  const abandoned = old.filter((upload) => !unfinished.has(jobKeyOf(upload)));
  for (const upload of abandoned) await objects.abortUpload(upload);
  return abandoned.length;
}

/** Keys, as `jobKeyOf` has them, of the uploads' jobs that may still be running. */
async function unfinishedJobs(client: Executor, uploads: readonly UnfinishedUpload[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT format('%s/%s/%s', video_id, attempt, name) AS key FROM chassis.jobs
     WHERE video_id = ANY ($1) AND state IN ('ready', 'running')`,
    [uploads.flatMap(({ key }) => videoOf(key) ?? [])],
  );
  return new Set(rows.map(({ key }) => key));
}

function jobKeyOf({ key }: UnfinishedUpload): string {
  return `${videoOf(key)}/${attemptOf(key)}/${jobOfFolder(folderOf(key) ?? '')}`;
}
