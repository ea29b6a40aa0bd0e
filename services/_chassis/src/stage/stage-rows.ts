/**
 * The statements on `chassis.stages`. Every one that starts, moves or ends a stage is guarded by state and revision.
 */
import type { Executor } from '../database/database.ts';
import { outboxFragment, type Outgoing } from '../database/outbox.ts';

/** `revision` counts the requests of the stage within the attempt, from 0. */
export type StageKey = { readonly videoId: string; readonly attempt: number; readonly revision: number };
/** A request as it was received; its `request` must survive JSON. */
export type StageRequest<R> = StageKey & { readonly publisherId: string; readonly request: R };
export type StageState = 'open' | 'completed' | 'failed' | 'cancelled';
export type StageFailure = { readonly code: string; readonly details: Readonly<Record<string, string>> };
/** How a stage ended: the payload of its terminal event. */
export type StageResult<D> = { readonly completed: D } | { readonly failed: StageFailure };
export type StageRow<R, D> = StageRequest<R> & {
  readonly state: StageState;
  readonly percent: number;
  /** Null while open and when cancelled. */
  readonly result: StageResult<D> | null;
  /** Whether a job has been claimed. */
  readonly started: boolean;
  /** Milliseconds of work of its jobs in tries that have ended. */
  readonly workedMs: number;
};

const byKey = 'stage = $1 AND video_id = $2 AND attempt = $3 AND revision = $4';

/** Opens a stage, or reopens an ended one under a higher revision; false if neither applies. */
export async function openRow(client: Executor, stage: string, request: StageRequest<unknown>): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO chassis.stages AS known (stage, video_id, attempt, revision, publisher_id, request)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (stage, video_id, attempt) DO UPDATE SET revision = excluded.revision, state = 'open',
       publisher_id = excluded.publisher_id, request = excluded.request, result = NULL, percent = 0, worked_ms = 0,
       progressed_at = NULL, created_at = now(), started_at = NULL, finished_at = NULL
     WHERE known.state IN ('completed', 'failed') AND known.revision < excluded.revision`,
    [...valuesOf(stage, request), request.publisherId, JSON.stringify(request.request)],
  );
  return rowCount === 1;
}

function valuesOf(stage: string, { videoId, attempt, revision }: StageKey): unknown[] {
  return [stage, videoId, attempt, revision];
}

/** Reads the stage of an attempt at any revision. */
export async function readRow<R, D>(
  client: Executor,
  stage: string,
  { videoId, attempt }: Pick<StageKey, 'videoId' | 'attempt'>,
): Promise<StageRow<R, D> | undefined> {
  const { rows } = await client.query<StageRow<R, D>>(
    `SELECT video_id AS "videoId", attempt, revision, publisher_id AS "publisherId", request, state, percent, result,
       started_at IS NOT NULL AS started, worked_ms AS "workedMs"
     FROM chassis.stages WHERE stage = $1 AND video_id = $2 AND attempt = $3`,
    [stage, videoId, attempt],
  );
  return rows[0];
}

/**
 * Moves ready jobs to another queue if their stage has not started within `withinMs` of `acceptedAtMs`, a field of its
 * request, or of the request's arrival; returns how many. Locked rows are being claimed, cancelled or moved by another replica.
 */
export async function moveOverdueJobs(
  client: Executor,
  { from, to, withinMs }: { readonly from: string; readonly to: string; readonly withinMs: number },
): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE chassis.jobs SET queue = $2 WHERE id IN (
       SELECT jobs.id FROM chassis.jobs JOIN chassis.stages USING (stage, video_id, attempt)
       WHERE stages.state = 'open' AND stages.started_at IS NULL
         AND coalesce((request ->> 'acceptedAtMs')::float8, extract(epoch FROM stages.created_at) * 1000)
           < extract(epoch FROM now()) * 1000 - $3
         AND queue = $1 AND jobs.state = 'ready'
       FOR UPDATE OF jobs SKIP LOCKED)`,
    [from, to, withinMs],
  );
  return rowCount ?? 0;
}

/** Replaces what the request of an open stage carries; false if it is not open, or is at another revision. */
export async function replaceRequest(
  client: Executor,
  stage: string,
  key: StageKey,
  request: unknown,
): Promise<boolean> {
  const { rowCount } = await client.query(`UPDATE chassis.stages SET request = $5 WHERE ${byKey} AND state = 'open'`, [
    ...valuesOf(stage, key),
    JSON.stringify(request),
  ]);
  return rowCount === 1;
}

/** Locks the stage of an attempt until the transaction ends. */
export async function lockRow(client: Executor, stage: string, { videoId, attempt }: StageKey): Promise<void> {
  const text = 'SELECT 1 FROM chassis.stages WHERE stage = $1 AND video_id = $2 AND attempt = $3 FOR UPDATE';
  await client.query(text, [stage, videoId, attempt]);
}

/** Marks an open stage as started and publishes `messages` with it; false if it was started before or is not open. */
export async function startRow(
  client: Executor,
  stage: string,
  key: StageKey,
  messages: readonly Outgoing[],
): Promise<boolean> {
  const values = valuesOf(stage, key);
  const start = `UPDATE chassis.stages SET started_at = now() WHERE ${byKey} AND state = 'open' AND started_at IS NULL`;
  const text = `WITH started AS (${start} RETURNING 1) ${outboxFragment(messages, values, 'started')}`;
  const { rowCount } = await client.query(text, values);
  return (rowCount ?? 0) > 0;
}

/**
 * Raises the percentage of an open stage and publishes `message` with it.
 * @returns false if the percentage is not higher or it is too soon after the last report
 */
export async function progressRow(
  client: Executor,
  stage: string,
  key: StageKey,
  { percent, everyMs, message }: { percent: number; everyMs: number; message: Outgoing },
): Promise<boolean> {
  const values = [...valuesOf(stage, key), percent, everyMs];
  const update = `UPDATE chassis.stages SET percent = $5, progressed_at = now()
    WHERE ${byKey} AND state = 'open' AND percent < $5
      AND (progressed_at IS NULL OR progressed_at <= now() - $6 * interval '1 millisecond' OR progressed_at > now())`;
  const text = `WITH progressed AS (${update} RETURNING 1) ${outboxFragment([message], values, 'progressed')}`;
  return (await client.query(text, values)).rowCount === 1;
}

/** Ends an open stage with its result; false if it has already ended or is at another revision. */
export async function endRow(
  client: Executor,
  stage: string,
  key: StageKey,
  result: StageResult<unknown>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE chassis.stages SET state = $5, result = $6, percent = 100, finished_at = now()
     WHERE ${byKey} AND state = 'open'`,
    [...valuesOf(stage, key), 'completed' in result ? 'completed' : 'failed', JSON.stringify(result)],
  );
  return rowCount === 1;
}

/** Adds the work of one try to its stage, if that is still open. */
export async function addWork(client: Executor, stage: string, key: StageKey, workedMs: number): Promise<void> {
  await client.query(`UPDATE chassis.stages SET worked_ms = worked_ms + $5 WHERE ${byKey} AND state = 'open'`, [
    ...valuesOf(stage, key),
    workedMs,
  ]);
}

/** Whether a stage is open and has no job left that could end it. */
export async function isAbandoned(client: Executor, stage: string, key: StageKey): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM chassis.stages s WHERE ${byKey} AND state = 'open' AND NOT EXISTS (
       SELECT FROM chassis.jobs j WHERE j.stage = s.stage AND j.video_id = s.video_id AND j.attempt = s.attempt
         AND j.revision = s.revision AND j.state NOT IN ('done', 'failed', 'cancelled'))`,
    valuesOf(stage, key),
  );
  return rows.length > 0;
}

/** Closes every open stage of a video without a terminal event; `before` limits it to earlier attempts. */
export async function cancelRows(client: Executor, videoId: string, before?: number): Promise<void> {
  await client.query(
    `UPDATE chassis.stages SET state = 'cancelled', finished_at = now()
     WHERE video_id = $1 AND state = 'open' AND ($2::int IS NULL OR attempt < $2)`,
    [videoId, before ?? null],
  );
}

/** Removes every stage of a video; `before` limits it to earlier attempts. */
export async function removeRows(client: Executor, videoId: string, before?: number): Promise<void> {
  await client.query('DELETE FROM chassis.stages WHERE video_id = $1 AND ($2::int IS NULL OR attempt < $2)', [
    videoId,
    before ?? null,
  ]);
}
