/** Rows of what is stored of a source, and of its consecutive faults. Only the holder of the job writes them. */
import { withTransaction, type Executor, type Pool } from '@vds/chassis/database/database';
import { outboxFragment, outgoing } from '@vds/chassis/database/outbox';
import { folderOf } from '@vds/chassis/objects/keys';
import { queryUnderFence, setQueue, type JobFence } from '@vds/chassis/work/job-rows';
import { events } from '@vds/proto/events';
import type { Source, Stored, StoredPart } from '../domain/stored-source.ts';

/** A claimed job of the fetch stage: the row of a job and the fence that it was claimed under. */
export type ClaimedFetch = JobFence & { readonly videoId: string; readonly attempt: number };

export type FetchState = {
  readonly stored: Stored;
  /** Consecutive faults without progress. */
  readonly tries: number;
  /** Milliseconds that they waited for the source, with the pauses after them; not while they waited for us. */
  readonly failingMs: number;
  /** Milliseconds that earlier tries waited for the source, with the pauses after its faults. */
  readonly sourceWaitMs: number;
};

type Row = {
  tries: number;
  failing_ms: number;
  source_wait_ms: number;
  source_key: string | null;
  part_bytes: number | null;
  validator: string | null;
  total_bytes: number | null;
};

const openSql = `SELECT tries, failing_ms, source_wait_ms, source_key, part_bytes, validator, total_bytes
  FROM fetches WHERE video_id = $1 AND attempt = $2`;
const partsSql = `SELECT number, bytes, sha256 FROM parts WHERE video_id = $1 AND attempt = $2 ORDER BY number`;

/**
 * Reads what earlier tries have stored of an attempt's source. The row is inserted under the fence, or a process that
 * was frozen would leave one behind after the purge of the video.
 */
export async function openFetch(pool: Pool, fetch: ClaimedFetch): Promise<FetchState> {
  const { videoId, attempt } = fetch;
  await queryUnderFence(
    pool,
    fetch,
    [videoId, attempt],
    (fenced) => `INSERT INTO fetches (video_id, attempt) SELECT $1, $2::int WHERE ${fenced}
      ON CONFLICT (video_id, attempt) DO UPDATE SET video_id = excluded.video_id`,
  );
  const { rows } = await pool.query<Row>({ name: 'fetch-open', text: openSql, values: [videoId, attempt] });
  const [row] = rows as [Row];
  const { rows: parts } = await pool.query<StoredPart>(partsSql, [videoId, attempt]);
  return {
    stored: storedOf(row, parts),
    tries: row.tries,
    failingMs: row.failing_ms,
    sourceWaitMs: row.source_wait_ms,
  };
}

/** The folder of an attempt's source; undefined before anything is stored of it. */
export async function findWinners(
  client: Executor,
  { videoId, attempt }: Pick<ClaimedFetch, 'videoId' | 'attempt'>,
): Promise<ReadonlySet<string> | undefined> {
  const text = 'SELECT source_key AS key FROM fetches WHERE video_id = $1 AND attempt = $2';
  const { rows } = await client.query<{ key: string | null }>(text, [videoId, attempt]);
  const folder = folderOf(rows[0]?.key ?? '');
  return folder === undefined ? undefined : new Set([folder]);
}

/** Removes what is known of the parts of attempts before `bound`, whose sources are gone. */
export async function removeParts(client: Executor, videoId: string, bound: number): Promise<void> {
  await client.query('DELETE FROM parts WHERE video_id = $1 AND attempt < $2', [videoId, bound]);
}

function storedOf({ source_key: key, part_bytes: partBytes, ...row }: Row, parts: readonly StoredPart[]): Stored {
  if (key === null || partBytes === null) return { source: undefined, parts: [] };
  const { validator, total_bytes: total } = row;
  return { source: { key, partBytes, validator: validator ?? undefined, total: total ?? undefined }, parts };
}

/** Records a new source in place of what was stored before. */
export async function recordSource(
  pool: Pool,
  fetch: ClaimedFetch,
  { key, partBytes, validator, total }: Source,
): Promise<void> {
  const { videoId, attempt } = fetch;
  await withTransaction(pool, async (client) => {
    await queryUnderFence(
      client,
      fetch,
      [videoId, attempt, key, partBytes, validator ?? null, total ?? null],
      (
        fenced,
      ) => `UPDATE fetches SET source_key = $3, part_bytes = $4, validator = $5, total_bytes = $6, stored_bytes = 0
        WHERE video_id = $1 AND attempt = $2 AND ${fenced}`,
    );
    await client.query('DELETE FROM parts WHERE video_id = $1 AND attempt = $2', [videoId, attempt]);
  });
}

/** Publishes that the head of a source is stored, once in every claim; the caller wakes the relay. */
export async function recordHead(
  pool: Pool,
  fetch: ClaimedFetch,
  { key: sourceKey, total: sourceBytes = 0 }: Source,
): Promise<void> {
  const { videoId, attempt, fence } = fetch;
  const event = events.headStored;
  const payload = { videoId, attempt, sourceKey, sourceBytes };
  const values: unknown[] = [];
  const message = outgoing(event, payload, `${event.subject}/${videoId}/${attempt}/${fence}`);
  const insert = outboxFragment([message], values, 'held');
  await queryUnderFence(pool, fetch, values, (fenced) => `WITH held AS (SELECT 1 WHERE ${fenced}) ${insert}`);
}

/**
 * Records a stored part.
 * @param isProgress whether earlier faults no longer count
 * @param sourceWaitMs how long the part waited for the source
 */
export function recordPart(
  pool: Pool,
  fetch: ClaimedFetch,
  { number, bytes, sha256 }: StoredPart,
  { isProgress, sourceWaitMs }: { readonly isProgress: boolean; readonly sourceWaitMs: number },
): Promise<void> {
  return queryUnderFence(
    pool,
    fetch,
    [fetch.videoId, fetch.attempt, number, bytes, sha256, sourceWaitMs, isProgress],
    (fenced) => `WITH held AS (
        UPDATE fetches SET stored_bytes = stored_bytes + $4, source_wait_ms = source_wait_ms + $6,
          tries = CASE WHEN $7 THEN 0 ELSE tries END, failing_ms = CASE WHEN $7 THEN 0 ELSE failing_ms + $6 END
        WHERE video_id = $1 AND attempt = $2 AND ${fenced} RETURNING video_id, attempt
      ) INSERT INTO parts (video_id, attempt, number, bytes, sha256)
        SELECT video_id, attempt, $3, $4, $5 FROM held`,
  );
}

/** A try that a fault of the source has ended. */
type FaultyTry = {
  /** Consecutive tries without progress, including this one. */
  readonly tries: number;
  /** Milliseconds that the source took since the last part or try, with the pause until the next try. */
  readonly sourceWaitMs: number;
};

/**
 * Counts a fault, in the transaction that postpones the job; the next try waits for a regular slot. Times are added up and
 * not read off a clock: neither an outage of ours nor a changed clock takes tries away.
 */
export async function countFault(client: Executor, fetch: ClaimedFetch, faulty: FaultyTry): Promise<void> {
  const { tries, sourceWaitMs } = faulty;
  await client.query(
    `UPDATE fetches SET tries = $3, source_wait_ms = source_wait_ms + $4, failing_ms = failing_ms + $4
     WHERE video_id = $1 AND attempt = $2`,
    [fetch.videoId, fetch.attempt, tries, sourceWaitMs],
  );
  await setQueue(client, fetch, 'fetch');
}
