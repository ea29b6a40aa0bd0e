/** Rows of stages: opened by a request, begun at the first claim, closed by exactly one last word. */
import type { Executor } from '@vds/chassis/database/database';

export type StageName = 'inspect' | 'encode';
export type StageState = 'open' | 'completed' | 'failed' | 'cancelled';
export type StageKey = { readonly videoId: string; readonly attempt: number; readonly stage: StageName };

export type StageRequest = StageKey & {
  readonly publisherId: string;
  readonly sourceKey: string;
  readonly sourceBytes: number;
};

export type StageRow = StageRequest & { readonly state: StageState; readonly answer: unknown };
const byKey = 'video_id = $1 AND attempt = $2 AND stage = $3';

/** Opens a stage; false where it is there already. */
export async function openStage(client: Executor, request: StageRequest): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO stages (video_id, attempt, stage, publisher_id, source_key, source_bytes)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [...keyOf(request), request.publisherId, request.sourceKey, request.sourceBytes],
  );
  return rowCount === 1;
}

function keyOf({ videoId, attempt, stage }: StageKey): unknown[] {
  return [videoId, attempt, stage];
}

/** Reads a stage; `lock` makes other transactions on it wait. */
export async function readStage(client: Executor, key: StageKey, lock = false): Promise<StageRow | undefined> {
  const { rows } = await client.query<StageRow>(
    `SELECT video_id AS "videoId", attempt, stage, state, answer, publisher_id AS "publisherId",
       source_key AS "sourceKey", source_bytes AS "sourceBytes"
     FROM stages WHERE ${byKey}${lock ? ' FOR UPDATE' : ''}`,
    keyOf(key),
  );
  return rows[0];
}

/** True for the first claim of the stage's first unit. */
export async function beginStage(client: Executor, key: StageKey): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE stages SET started_at = now() WHERE ${byKey} AND state = 'open' AND started_at IS NULL`,
    keyOf(key),
  );
  return rowCount === 1;
}

/** Closes an open stage with its last word; false where it is closed already. */
export async function closeStage(
  client: Executor,
  key: StageKey,
  state: 'completed' | 'failed',
  answer: unknown,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE stages SET state = $4, answer = $5, percent = 100, finished_at = now() WHERE ${byKey} AND state = 'open'`,
    [...keyOf(key), state, JSON.stringify(answer)],
  );
  return rowCount === 1;
}

/** Work on the video, or on its attempts before one (0: all), is no longer wanted: the stages will say nothing more. */
export async function cancelStages(client: Executor, videoId: string, keepAttempt = 0): Promise<void> {
  await client.query(
    `UPDATE stages SET state = 'cancelled', finished_at = now()
     WHERE video_id = $1 AND state = 'open' AND ($2 = 0 OR attempt < $2)`,
    [videoId, keepAttempt],
  );
}

/**
 * Sums the parts up to the stage's progress.
 * @returns the percentage to be said; undefined where it has not risen, or was said less than `everyMs` ago
 */
export async function advanceStage(client: Executor, key: StageKey, everyMs: number): Promise<number | undefined> {
  const { rows } = await client.query<{ percent: number }>(
    `UPDATE stages SET percent = now_at.percent, said_at = now()
     FROM (SELECT floor(99 * sum(weight * percent) / nullif(100 * sum(weight), 0))::int AS percent
           FROM parts WHERE video_id = $1 AND attempt = $2) AS now_at
     WHERE ${byKey} AND state = 'open' AND now_at.percent > stages.percent
       AND (said_at IS NULL OR said_at <= now() - $4 * interval '1 millisecond')
     RETURNING stages.percent`,
    [...keyOf(key), everyMs],
  );
  return rows[0]?.percent;
}

/** Removes what is kept of a video's stages, plans, parts and ladder before an attempt; 0: all of it. */
export async function removeRows(client: Executor, videoId: string, keepAttempt: number): Promise<void> {
  for (const table of ['stages', 'plans', 'parts', 'ladders'])
    await client.query(`DELETE FROM ${table} WHERE video_id = $1 AND ($2 = 0 OR attempt < $2)`, [videoId, keepAttempt]);
}
