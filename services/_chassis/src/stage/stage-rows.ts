/** The statements on `chassis.stages`. Every one that begins, moves or ends a stage is guarded by state and revision. */
import type { Executor } from '../database/database.ts';
import { outboxFragment, type Outgoing } from '../database/outbox.ts';

/** `groupKey` is what the stage is about, `revision` which asking of it within the attempt: 0 the first. */
export type StageKey = { readonly groupKey: string; readonly attempt: number; readonly revision: number };
/** A request as it was heard; its `request` must survive JSON. */
export type StageRequest<R> = StageKey & { readonly tenant: string; readonly request: R };
export type StageState = 'open' | 'completed' | 'failed' | 'cancelled';
export type StageFailure = { readonly code: string; readonly details: Readonly<Record<string, string>> };
/** How a stage ended, as it is kept beside it. */
export type StageResult<D> = { readonly done: D } | { readonly failure: StageFailure };
export type StageRow<R, D> = StageRequest<R> & {
  readonly state: StageState;
  readonly percent: number;
  /** Null while open and when cancelled. */
  readonly answer: StageResult<D> | null;
  readonly started: boolean;
};

const byKey = 'stage = $1 AND group_key = $2 AND attempt = $3 AND revision = $4';

/** Opens a stage, or one that has ended anew under a higher revision; false where neither is the case. */
export async function openRow(client: Executor, stage: string, asked: StageRequest<unknown>): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO chassis.stages AS known (stage, group_key, attempt, revision, tenant, request)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (stage, group_key, attempt) DO UPDATE SET revision = excluded.revision, state = 'open',
       tenant = excluded.tenant, request = excluded.request, answer = NULL, percent = 0, said_at = NULL,
       created_at = now(), started_at = NULL, finished_at = NULL
     WHERE known.state IN ('completed', 'failed') AND known.revision < excluded.revision`,
    [...valuesOf(stage, asked), asked.tenant, JSON.stringify(asked.request)],
  );
  return rowCount === 1;
}

function valuesOf(stage: string, key: StageKey): unknown[] {
  return [stage, key.groupKey, key.attempt, key.revision];
}

/** Reads the stage of an attempt at whatever revision it is. */
export async function readRow<R, D>(
  client: Executor,
  stage: string,
  { groupKey, attempt }: Pick<StageKey, 'groupKey' | 'attempt'>,
): Promise<StageRow<R, D> | undefined> {
  const { rows } = await client.query<StageRow<R, D>>(
    `SELECT group_key AS "groupKey", attempt, revision, tenant, request, state, percent, answer,
       started_at IS NOT NULL AS started
     FROM chassis.stages WHERE stage = $1 AND group_key = $2 AND attempt = $3`,
    [stage, groupKey, attempt],
  );
  return rows[0];
}

/** Marks an open stage as begun and says `word` with it; false where it had begun already or is no longer open. */
export async function beginRow(client: Executor, stage: string, key: StageKey, word: Outgoing): Promise<boolean> {
  const values = valuesOf(stage, key);
  const { rowCount } = await client.query(
    `WITH begun AS (
       UPDATE chassis.stages SET started_at = now() WHERE ${byKey} AND state = 'open' AND started_at IS NULL RETURNING 1
     ) ${outboxFragment([word], values, 'begun')}`,
    values,
  );
  return rowCount === 1;
}

/** Raises the percentage of an open stage and says `word` with it; false where it is no rise or too soon after the last. */
export async function moveRow(
  client: Executor,
  stage: string,
  key: StageKey,
  percent: number,
  everyMs: number,
  word: Outgoing | undefined,
): Promise<boolean> {
  const values = [...valuesOf(stage, key), percent, everyMs];
  const moved = `UPDATE chassis.stages SET percent = $5, said_at = now()
    WHERE ${byKey} AND state = 'open' AND percent < $5
      AND (said_at IS NULL OR said_at <= now() - $6 * interval '1 millisecond')`;
  if (!word) return (await client.query(moved, values)).rowCount === 1;
  const text = `WITH moved AS (${moved} RETURNING 1) ${outboxFragment([word], values, 'moved')}`;
  return (await client.query(text, values)).rowCount === 1;
}

/** Ends an open stage with its last word; false where it has ended already or is at another revision. */
export async function endRow(
  client: Executor,
  stage: string,
  key: StageKey,
  answer: StageResult<unknown>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE chassis.stages SET state = $5, answer = $6, percent = 100, finished_at = now()
     WHERE ${byKey} AND state = 'open'`,
    [...valuesOf(stage, key), 'done' in answer ? 'completed' : 'failed', JSON.stringify(answer)],
  );
  return rowCount === 1;
}

/** Closes every open stage of a group without a last word; `before` limits it to earlier attempts. */
export async function cancelRows(client: Executor, groupKey: string, before?: number): Promise<void> {
  await client.query(
    `UPDATE chassis.stages SET state = 'cancelled', finished_at = now()
     WHERE group_key = $1 AND state = 'open' AND ($2::int IS NULL OR attempt < $2)`,
    [groupKey, before ?? null],
  );
}

/** Forgets every stage of a group; `before` limits it to earlier attempts. */
export async function forgetRows(client: Executor, groupKey: string, before?: number): Promise<void> {
  await client.query('DELETE FROM chassis.stages WHERE group_key = $1 AND ($2::int IS NULL OR attempt < $2)', [
    groupKey,
    before ?? null,
  ]);
}
