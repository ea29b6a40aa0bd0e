/** What a reconciliation reads of videos, and the two repairs that are no decision on a video. */
import { randomUUID } from 'node:crypto';
import { addToOutbox } from '@vds/chassis/database/outbox';
import type { Pool } from '@vds/chassis/database/database';
import type { Known } from '../domain/reconcile.ts';
import type { Track } from '../domain/video.ts';
import { purgeMessage } from './publisher.ts';
import { loadSnapshot } from './snapshots.ts';

/** Keys of documents in use, by the owner of their bucket; empty where there is none. */
export type VideoInUse = {
  readonly videoId: string;
  readonly version: number;
  readonly versionSeq: number;
  readonly sourceKey: string;
  readonly ladderKey: string;
  readonly captionKeys: readonly string[];
};

/** `videoIds`, if any are given, select videos whatever `after` and `limit` say. */
export type InUseQuery = { readonly after: number; readonly limit: number; readonly videoIds: readonly string[] };
type Row = Omit<VideoInUse, 'captionKeys'> & { readonly captions: readonly Track[] };

/**
 * Videos by rising number of their latest version, at most `limit`. A source is in use until it is encoded; what is made
 * of it while the video is ready or archived.
 */
export async function listInUse(
  pool: Pool,
  { after, limit, videoIds }: InUseQuery,
): Promise<{ readonly videos: readonly VideoInUse[]; readonly settledVersionSeq: number }> {
  const bound = await pool.query<{ settled: number }>('SELECT settled_version_seq() AS settled');
  const settledVersionSeq = bound.rows[0]?.settled ?? 0;
  const selected = videoIds.length > 0;
  const { rows } = await pool.query<Row>(
    `SELECT id AS "videoId", version, version_seq AS "versionSeq",
       CASE WHEN state IN ('ready', 'archived') THEN coalesce(ladder_key, '') ELSE '' END AS "ladderKey",
       CASE WHEN state IN ('ready', 'archived') THEN captions ELSE '[]' END AS captions,
       coalesce(CASE WHEN state = 'processing' THEN (SELECT f.outputs ->> 'sourceKey' FROM stages f
         WHERE f.video_id = videos.id AND f.attempt = videos.attempt AND f.stage = 'fetch' AND NOT EXISTS (
           SELECT FROM stages e WHERE e.video_id = videos.id AND e.attempt = videos.attempt
             AND e.stage = 'encode' AND e.state = 'completed')) END, '') AS "sourceKey"
     FROM videos WHERE ${selected ? 'id = ANY ($1)' : 'version_seq > $1 AND version_seq <= $2'}
     ORDER BY version_seq ${selected ? '' : 'LIMIT $3'}`,
    selected ? [videoIds] : [after, settledVersionSeq, limit],
  );
  const videos = rows.map(({ captions, ...row }) => ({ ...row, captionKeys: captions.flatMap(keysOf) }));
  return { videos, settledVersionSeq };
}

function keysOf({ status, playlistKey, textKey }: Track): string[] {
  return status === 'ready' ? [playlistKey, textKey].filter((key) => key !== null) : [];
}

/** Undefined where there is no such video. */
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
    `INSERT INTO purges (video_id, owner, scope, due_at, next_republish_at) VALUES ($1, $2, 'VIDEO', now(), now())
     ON CONFLICT (video_id, owner, scope) DO UPDATE SET confirmed_at = NULL, due_at = now(), next_republish_at = now()`,
    [videoId, owner],
  );
}

/** Requests the purge of a video without a row, so without a ledger: the next reconciliation shows whether it is done. */
export async function purgeUnknown(pool: Pool, videoId: string, owner: string): Promise<void> {
  const purge = { scope: 'VIDEO', keepAttempt: 0, owners: [owner] } as const;
  await addToOutbox(pool, [purgeMessage(videoId, purge, `unknown-${owner}-${randomUUID()}`)]);
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
