/**
 * Removal of everything that a service keeps of a video. The tombstone comes first and rejects late results; the stores
 * are then emptied, and listed to verify it. A second run after the longest lease removes what workers without a lease
 * wrote in between.
 */
import type { Executor } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Objects } from '../objects/objects.ts';

/** Serialises transactions on the video until this one ends: opening, cancelling and purging never overlap. */
export async function lockVideo(client: Executor, videoId: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [videoId]);
}

/** Adds the tombstone; adding it twice is harmless. */
export async function addTombstone(client: Executor, videoId: string): Promise<void> {
  await client.query('INSERT INTO chassis.tombstones (video_id) VALUES ($1) ON CONFLICT DO NOTHING', [videoId]);
}

/** Whether the video was permanently removed. */
export async function isTombstoned(client: Executor, videoId: string): Promise<boolean> {
  const { rows } = await client.query('SELECT 1 FROM chassis.tombstones WHERE video_id = $1', [videoId]);
  return rows.length > 0;
}

/**
 * Empties a prefix and verifies it by listing.
 * @param which limits it to some keys; all by default
 * @throws AppError UNAVAILABLE while anything is left, so that the job is retried
 */
export async function emptyPrefix(
  objects: Objects,
  prefix: string,
  which: (key: string) => boolean = () => true,
): Promise<void> {
  await objects.removePrefix(prefix, which);
  const left = (await objects.leftovers(prefix)).filter(which);
  if (left.length > 0)
    throw new AppError('UNAVAILABLE', `${left.length} objects are still under ${objects.bucket}/${prefix}`);
}
