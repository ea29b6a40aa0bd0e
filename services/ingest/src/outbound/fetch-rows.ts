/** Rows of what is stored of a source, and of its consecutive faults. Only the holder of the job writes them. */
import { AppError } from '@vds/chassis/errors';
import { withTransaction, type Executor, type Pool } from '@vds/chassis/database/database';
import type { Stored, StoredPart, Upload } from '../domain/fetch-source.ts';

/** A claimed job of the fetch stage: the row of a job and the fence that it was claimed under. */
export type Held = {
  readonly id: number;
  readonly fence: number;
  readonly videoId: string;
  readonly attempt: number;
};

export type FetchState = {
  readonly stored: Stored;
  /** Consecutive faults without a new part. */
  readonly tries: number;
  /** Milliseconds since the first of them began; 0 when there is none. */
  readonly failingMs: number;
};

type Row = {
  tries: number;
  failing_ms: number;
  upload_key: string | null;
  upload_id: string | null;
  validator: string | null;
  total_bytes: number | null;
};

const openSql = `INSERT INTO fetches (video_id, attempt) VALUES ($1, $2)
  ON CONFLICT (video_id, attempt) DO UPDATE SET video_id = excluded.video_id
  RETURNING tries, upload_key, upload_id, validator, total_bytes,
    coalesce(extract(epoch FROM now() - failing_since), 0)::float8 * 1000 AS failing_ms`;
const partsSql = `SELECT number, bytes, sha256, etag FROM parts WHERE video_id = $1 AND attempt = $2 ORDER BY number`;

const MINE = `video_id = $1 AND attempt = $2
  AND EXISTS (SELECT FROM chassis.jobs WHERE id = $3 AND fence = $4 AND jobs.state = 'running')`;

/** Reads what earlier tries have stored of an attempt's source. */
export async function openFetch(pool: Pool, { videoId, attempt }: Held): Promise<FetchState> {
  const { rows } = await pool.query<Row>({ name: 'fetch-open', text: openSql, values: [videoId, attempt] });
  const [row] = rows as [Row];
  const { rows: parts } = await pool.query<StoredPart>(partsSql, [videoId, attempt]);
  return { stored: storedOf(row, parts), tries: row.tries, failingMs: row.failing_ms };
}

function storedOf(row: Row, parts: readonly StoredPart[]): Stored {
  return {
    upload:
      row.upload_key !== null && row.upload_id !== null ? { key: row.upload_key, uploadId: row.upload_id } : undefined,
    parts,
    validator: row.validator ?? undefined,
    total: row.total_bytes ?? undefined,
  };
}

/** Records a new upload in place of what was stored before. */
export async function keepUpload(
  pool: Pool,
  held: Held,
  upload: Upload | undefined,
  file: { readonly validator: string | undefined; readonly total: number | undefined },
): Promise<void> {
  const values = [upload?.key ?? null, upload?.uploadId ?? null, file.validator ?? null, file.total ?? null];
  const update = `UPDATE fetches SET upload_key = $5, upload_id = $6, validator = $7, total_bytes = $8, stored_bytes = 0 WHERE ${MINE}`;
  await withTransaction(pool, async (client) => {
    await asHolder(client, update, held, values);
    await client.query('DELETE FROM parts WHERE video_id = $1 AND attempt = $2', [held.videoId, held.attempt]);
  });
}

/** @throws ABORTED when the statement found no row under our fence */
async function asHolder(client: Executor, text: string, held: Held, more: unknown[]): Promise<void> {
  const { rowCount } = await client.query(text, [held.videoId, held.attempt, held.id, held.fence, ...more]);
  if (rowCount !== 1) throw new AppError('ABORTED', 'the fetch was taken over or cancelled');
}

/** Records a stored part; earlier faults no longer count. */
export function keepPart(pool: Pool, held: Held, { number, bytes, sha256, etag }: StoredPart): Promise<void> {
  return asHolder(
    pool,
    `WITH mine AS (
       UPDATE fetches SET stored_bytes = stored_bytes + $6, tries = 0, failing_since = NULL WHERE ${MINE}
       RETURNING video_id, attempt
     ) INSERT INTO parts (video_id, attempt, number, bytes, sha256, etag)
       SELECT video_id, attempt, $5, $6, $7, $8 FROM mine`,
    held,
    [number, bytes, sha256, etag],
  );
}

/**
 * Counts a fault, in the transaction that postpones the job. The consecutive failures began `beganMs` ago, unless a
 * start is already recorded; the next try waits for a regular slot.
 */
export async function countFault(client: Executor, held: Held, tries: number, beganMs: number): Promise<void> {
  await client.query(
    `UPDATE fetches SET tries = $3, failing_since = coalesce(failing_since, now() - $4 * interval '1 millisecond')
     WHERE video_id = $1 AND attempt = $2`,
    [held.videoId, held.attempt, tries, beganMs],
  );
  await client.query(`UPDATE chassis.jobs SET queue = 'fetch' WHERE id = $1`, [held.id]);
}

/** Moves fetches that have waited too long for a claim to the queue of the overdue slots; returns how many. */
export async function moveOverdue(client: Executor, startWithinMs: number): Promise<number> {
  const { rowCount } = await client.query(
    // Locked rows are being claimed, cancelled or moved by another replica.
    `UPDATE chassis.jobs SET queue = 'fetch-overdue' WHERE id IN (
       SELECT jobs.id FROM chassis.jobs JOIN chassis.stages USING (stage, video_id, attempt)
       WHERE stages.state = 'open' AND stages.started_at IS NULL
         AND (request ->> 'acceptedAtMs')::float8 < extract(epoch FROM now()) * 1000 - $1
         AND queue = 'fetch' AND jobs.state = 'ready'
       FOR UPDATE OF jobs SKIP LOCKED)`,
    [startWithinMs],
  );
  return rowCount ?? 0;
}
