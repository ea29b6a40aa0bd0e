/** A reconciliation's reads of videos, and the two repairs that are not decisions on a video. */
import { randomUUID } from 'node:crypto';
import { addToOutbox } from '@vds/chassis/database/outbox';
import type { Pool } from '@vds/chassis/database/database';
import { keysInUse, nothingInUse, type KeysInUse } from '../domain/keys-in-use.ts';
import type { Known } from '../domain/reconcile.ts';
import { purgeMessage } from './publisher.ts';
import { loadSnapshot, loadSnapshots } from './snapshots.ts';

export type VideoInUse = KeysInUse & {
  readonly videoId: string;
  readonly version: number;
  readonly versionSeq: number;
};

/** `videoIds`, if any, select videos regardless of `after` and `limit`. */
export type InUseQuery = { readonly after: number; readonly limit: number; readonly videoIds: readonly string[] };

/** Videos by rising number of their latest version, at most `limit`, with their documents in use. */
export async function listInUse(
  pool: Pool,
  { after, limit, videoIds }: InUseQuery,
): Promise<{ readonly videos: readonly VideoInUse[]; readonly settledVersionSeq: number }> {
  const bound = await pool.query<{ settled: number }>('SELECT settled_version_seq() AS settled');
  const settledVersionSeq = bound.rows[0]?.settled ?? 0;
  const selected = videoIds.length > 0;
  const { rows } = await pool.query<Pick<VideoInUse, 'videoId' | 'versionSeq'>>(
    `SELECT id AS "videoId", version_seq AS "versionSeq"
     FROM videos WHERE ${selected ? 'id = ANY ($1)' : 'version_seq > $1 AND version_seq <= $2'}
     ORDER BY version_seq ${selected ? '' : 'LIMIT $3'}`,
    selected ? [videoIds] : [after, settledVersionSeq, limit],
  );
  const loaded = await loadSnapshots(
    pool,
    rows.map(({ videoId }) => videoId),
  );
  const inUse = new Map(
    loaded.map(({ video, stages }) => [video.id, { version: video.version, ...keysInUse(video, stages) }]),
  );
  const forgotten = { version: 0, ...nothingInUse };
  const videos = rows.map((row) => ({ ...row, ...(inUse.get(row.videoId) ?? forgotten) }));
  return { videos, settledVersionSeq };
}

/** Undefined if there is no such video. */
export async function loadKnown(pool: Pool, videoId: string): Promise<Known | undefined> {
  const snapshot = await loadSnapshot(pool, videoId);
  if (!snapshot) return undefined;
  const { rows } = await pool.query<{ owner: string }>(
    `SELECT owner FROM purges WHERE video_id = $1 AND scope = 'VIDEO' AND confirmed_at IS NULL`,
    [videoId],
  );
  return { ...snapshot, unconfirmedPurges: rows.map(({ owner }) => owner) };
}

/** Opens the ledger's row of a deleted video again; it is republished until it is confirmed. */
export async function purgeAgain(pool: Pool, videoId: string, owner: string): Promise<void> {
  await pool.query(
    `INSERT INTO purges (video_id, owner, scope, request_id, due_at, next_republish_at)
     VALUES ($1, $2, 'VIDEO', $3, now(), now())
     ON CONFLICT (video_id, owner, scope) DO UPDATE SET confirmed_at = NULL, request_id = excluded.request_id,
       due_at = now(), next_republish_at = now()`,
    [videoId, owner, randomUUID()],
  );
}

/** Requests the purge of a video without a row, so without a ledger: the next reconciliation shows whether it is done. */
export async function purgeUnknown(pool: Pool, videoId: string, owner: string): Promise<void> {
  // One id for all, so that the owner runs one purge at a time, however often it is requested.
  const purge = { scope: 'VIDEO', keepAttempt: 0, owners: [owner], requestId: 'unknown' } as const;
  await addToOutbox(pool, [purgeMessage(videoId, purge, nothingInUse, `-${owner}-${randomUUID()}`)]);
}

/** Has an open stage requested again at once. */
export async function makeStageDue(pool: Pool, videoId: string, stage: string): Promise<void> {
  await pool.query(
    `UPDATE stages SET next_republish_at = now() FROM videos
     WHERE id = video_id AND videos.attempt = stages.attempt AND video_id = $1 AND stage = $2
       AND stages.state IN ('requested', 'started')`,
    [videoId, stage],
  );
}
