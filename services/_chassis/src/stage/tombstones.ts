/**
 * Removing all that a service keeps of a group of things. The group's tombstone comes first and refuses late results;
 * the stores are then emptied, and listed to prove it. A second run after the longest lease catches what a worker that
 * was already on its way has written in between.
 */
import type { Executor } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Objects } from '../objects/objects.ts';

/** Makes other transactions on the group wait until this one ends: opening, cancelling and burying never overlap. */
export async function lockGroup(client: Executor, groupKey: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [groupKey]);
}

/** Plants the tombstone; a second planting is harmless. */
export async function addTombstone(client: Executor, groupKey: string): Promise<void> {
  await client.query('INSERT INTO chassis.tombstones (group_key) VALUES ($1) ON CONFLICT DO NOTHING', [groupKey]);
}

/** Whether the group is gone for ever. */
export async function isTombstoned(client: Executor, groupKey: string): Promise<boolean> {
  const { rows } = await client.query('SELECT 1 FROM chassis.tombstones WHERE group_key = $1', [groupKey]);
  return rows.length > 0;
}

/** Removes the group's units of work that `keep` does not name, whatever their state. */
export async function removeWork(client: Executor, groupKey: string, except: readonly string[] = []): Promise<void> {
  await client.query(
    `DELETE FROM chassis.work WHERE id IN (SELECT id FROM chassis.work
       WHERE group_key = $1 AND NOT (queue = ANY($2)) ORDER BY id FOR UPDATE)`,
    [groupKey, except],
  );
}

/**
 * Empties a prefix and proves it.
 * @param which limits it to some keys; all by default
 * @throws AppError UNAVAILABLE while anything is left, so that the unit is tried again
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
