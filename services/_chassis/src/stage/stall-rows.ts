/** The statements of `deadlines`: what the open stages of some jobs have reached, and the end of one that may not go on. */
import type { Executor } from '../database/database.ts';
import type { StageKey, StageRequest } from './stage-rows.ts';

/** A stage that a job belongs to. */
export type JobStage = StageKey & { readonly stage: string };
/** An open stage. `mark` changes with every progress of any of its jobs. */
export type OpenStage = JobStage &
  StageRequest<object> & {
    /** Milliseconds of work that earlier tries have counted. */
    readonly workedMs: number;
    readonly mark: string;
  };

const byKey = 'stage = $1 AND video_id = $2 AND attempt = $3 AND revision = $4';

function keyOf({ stage, videoId, attempt, revision }: JobStage): unknown[] {
  return [stage, videoId, attempt, revision];
}

/** Reads those of the stages that are open. */
export async function readOpenStages(client: Executor, stages: readonly JobStage[]): Promise<readonly OpenStage[]> {
  const { rows } = await client.query<OpenStage>({
    name: 'chassis-open-stages',
    text: `SELECT s.stage, video_id AS "videoId", attempt, revision, publisher_id AS "publisherId", request,
        worked_ms AS "workedMs", concat_ws('/', s.percent, done.jobs, done.progress) AS mark
      FROM unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS k (stage, video_id, attempt, revision)
      JOIN chassis.stages s USING (stage, video_id, attempt, revision)
      CROSS JOIN LATERAL (
        SELECT count(*) AS jobs, sum(progress) AS progress FROM chassis.jobs j
        WHERE j.stage = s.stage AND j.video_id = s.video_id AND j.attempt = s.attempt AND j.revision = s.revision) done
      WHERE s.state = 'open'`,
    values: [0, 1, 2, 3].map((column) => stages.map((stage) => keyOf(stage)[column])),
  });
  return rows;
}

/** The stages of those jobs of the queues, at most 100 of each, that have been ready longest and at least for `sinceMs`. */
export async function readyStages(
  client: Executor,
  queues: readonly string[],
  sinceMs: number,
): Promise<readonly JobStage[]> {
  const { rows } = await client.query<JobStage>({
    name: 'chassis-ready-stages',
    text: `SELECT DISTINCT stage, video_id AS "videoId", attempt, revision
      FROM unnest($1::text[]) AS known (queue), LATERAL (
        SELECT stage, video_id, attempt, revision FROM chassis.jobs
        WHERE queue = known.queue AND state = 'ready' AND run_after <= now() - $2 * interval '1 millisecond'
        ORDER BY run_after LIMIT 100) AS ready`,
    values: [queues, sinceMs],
  });
  return rows;
}

/** Adds the work of one try to its stage, if that is still open. */
export async function addWork(client: Executor, stage: JobStage, workedMs: number): Promise<void> {
  await client.query(`UPDATE chassis.stages SET worked_ms = worked_ms + $5 WHERE ${byKey} AND state = 'open'`, [
    ...keyOf(stage),
    workedMs,
  ]);
}

/**
 * Cancels the unfinished jobs of a stage that is open, except those that another transaction is ending at this moment.
 * Its workers notice when they renew their leases.
 */
export async function cancelOpenStage(client: Executor, stage: JobStage): Promise<void> {
  await client.query(
    `UPDATE chassis.jobs SET state = 'cancelled', finished_at = now(), lease_until = NULL
     WHERE id IN (SELECT j.id FROM chassis.jobs j JOIN chassis.stages s USING (stage, video_id, attempt, revision)
       WHERE stage = $1 AND video_id = $2 AND attempt = $3 AND revision = $4 AND s.state = 'open'
         AND j.state IN ('ready', 'running') FOR UPDATE OF j SKIP LOCKED)`,
    keyOf(stage),
  );
}

/** Whether a stage is open and has no job left that could end it. */
export async function isAbandoned(client: Executor, stage: JobStage): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM chassis.stages s WHERE ${byKey} AND state = 'open' AND NOT EXISTS (
       SELECT FROM chassis.jobs j WHERE j.stage = s.stage AND j.video_id = s.video_id AND j.attempt = s.attempt
         AND j.revision = s.revision AND j.state NOT IN ('done', 'failed', 'cancelled'))`,
    keyOf(stage),
  );
  return rows.length > 0;
}
