/** What a claimed fetch reads and writes, as single statements guarded by the fetch's own fence. */
import { AppError } from '@vds/chassis/errors';
import { withTransaction, type Executor, type Pool } from '@vds/chassis/database/database';
import type { Stored, StoredPart, Upload } from '../domain/fetch-source.ts';
import { publishStarted } from './publisher.ts';

export type FetchId = { readonly videoId: string; readonly attempt: number };
/** A fetch under the fence that may write it. */
export type Held = FetchId & { readonly fence: number };

export type ClaimedFetch = Held & {
  readonly sourceUrl: string;
  readonly stored: Stored;
  /** Faults in a row without a new part. */
  readonly tries: number;
  /** Milliseconds since the first of them began; 0 when there is none. */
  readonly failingMs: number;
  /** Milliseconds since the first claim of all. */
  readonly runningMs: number;
};

type Row = {
  source_url: string;
  fence: number;
  tries: number;
  failing_ms: number;
  running_ms: number;
  upload_key: string | null;
  upload_id: string | null;
  validator: string | null;
  total_bytes: number | null;
};

const claimSql = `UPDATE fetches SET fence = fence + 1, started_at = coalesce(started_at, now())
  WHERE video_id = $1 AND attempt = $2 AND state = 'open'
  RETURNING source_url, fence, tries, upload_key, upload_id, validator, total_bytes,
    coalesce(extract(epoch FROM now() - failing_since), 0)::float8 * 1000 AS failing_ms,
    extract(epoch FROM now() - started_at)::float8 * 1000 AS running_ms`;
const partsSql = `SELECT number, bytes, sha256, etag FROM parts WHERE video_id = $1 AND attempt = $2 ORDER BY number`;

const MINE = `video_id = $1 AND attempt = $2 AND fence = $3 AND state = 'open'`;

/** Takes an open fetch under a new fence and says `started` at the first one. Undefined when it is no longer open. */
export async function claimFetch(pool: Pool, { videoId, attempt }: FetchId): Promise<ClaimedFetch | undefined> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>({ name: 'fetch-claim', text: claimSql, values: [videoId, attempt] });
    const row = rows[0];
    if (!row) return undefined;
    if (row.fence === 1) await publishStarted(client, { videoId, attempt });
    const { rows: parts } = await client.query<StoredPart>(partsSql, [videoId, attempt]);
    return {
      videoId,
      attempt,
      fence: row.fence,
      sourceUrl: row.source_url,
      stored: storedOf(row, parts),
      tries: row.tries,
      failingMs: row.failing_ms,
      runningMs: row.running_ms,
    };
  });
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

/** Writes a new upload down in place of what was stored before. */
export async function keepUpload(
  pool: Pool,
  held: Held,
  upload: Upload | undefined,
  file: { readonly validator: string | undefined; readonly total: number | undefined },
): Promise<void> {
  const values = [upload?.key ?? null, upload?.uploadId ?? null, file.validator ?? null, file.total ?? null];
  const update = `UPDATE fetches SET upload_key = $4, upload_id = $5, validator = $6, total_bytes = $7, stored_bytes = 0 WHERE ${MINE}`;
  await withTransaction(pool, async (client) => {
    await asHolder(client, update, held, values);
    await client.query('DELETE FROM parts WHERE video_id = $1 AND attempt = $2', [held.videoId, held.attempt]);
  });
}

/** @throws ABORTED when the statement found no row under our fence */
async function asHolder(
  client: Executor,
  text: string,
  { videoId, attempt, fence }: Held,
  more: unknown[] = [],
): Promise<void> {
  const { rowCount } = await client.query(text, [videoId, attempt, fence, ...more]);
  if (rowCount !== 1) throw new AppError('ABORTED', 'the fetch was taken over or cancelled');
}

/** Writes a stored part down; what failed before it no longer counts. */
export function keepPart(pool: Pool, held: Held, { number, bytes, sha256, etag }: StoredPart): Promise<void> {
  return asHolder(
    pool,
    `WITH mine AS (
       UPDATE fetches SET stored_bytes = stored_bytes + $5, tries = 0, failing_since = NULL WHERE ${MINE}
       RETURNING video_id, attempt
     ) INSERT INTO parts (video_id, attempt, number, bytes, sha256, etag)
       SELECT video_id, attempt, $4, $5, $6, $7 FROM mine`,
    held,
    [number, bytes, sha256, etag],
  );
}

/** Counts a fault. The row of failures begins `beganMs` ago, unless it has begun already. */
export function countFault(client: Executor, held: Held, tries: number, beganMs: number): Promise<void> {
  return asHolder(
    client,
    `UPDATE fetches SET tries = $4, failing_since = coalesce(failing_since, now() - $5 * interval '1 millisecond') WHERE ${MINE}`,
    held,
    [tries, beganMs],
  );
}

/** Ends the fetch well. */
export function endCompleted(client: Executor, held: Held, digest: string): Promise<void> {
  return asHolder(
    client,
    `UPDATE fetches SET state = 'completed', digest = $4, source_url = '', finished_at = now() WHERE ${MINE}`,
    held,
    [digest],
  );
}

/** Ends the fetch with a code. Left alone when it has ended already: then `false`. */
export async function endFailed(
  client: Executor,
  { videoId, attempt }: FetchId,
  code: string,
  details: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE fetches SET state = 'failed', code = $3, details = $4, source_url = '', finished_at = now()
     WHERE video_id = $1 AND attempt = $2 AND state = 'open'`,
    [videoId, attempt, code, JSON.stringify(details)],
  );
  return rowCount === 1;
}
