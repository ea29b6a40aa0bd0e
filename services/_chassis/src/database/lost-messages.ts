/**
 * Keeps the promise that a wiped or rolled back JetStream loses nothing: published messages keep their place in the
 * stream for a day, and those that the stream lacks wait to be published again. Consumers are idempotent, so a message
 * too many does no harm.
 */
import type { Stored } from '../bus/publish.ts';
import type { StreamEnd } from '../bus/streams.ts';
import type { Executor } from './database.ts';

const unpublished = 'published_at = NULL, stream_created = NULL, stream_sequence = NULL';

/**
 * After a connect: what lies behind the end of the stream, or was published into another stream.
 * @returns how many messages wait again
 */
export async function unpublishBeyond(client: Executor, { created, lastSequence }: StreamEnd): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE chassis.outbox SET ${unpublished} WHERE published_at IS NOT NULL
       AND (stream_created <> $1 OR (stream_created = $1 AND stream_sequence > $2))`,
    [created, lastSequence],
  );
  return rowCount ?? 0;
}

/**
 * After a publish: a stream that gives a sequence again has lost everything from there on.
 * @param newest the highest sequence that was recorded before the publish; null without one
 * @returns how many messages wait again
 */
export async function unpublishOverwritten(
  client: Executor,
  created: string,
  newest: number | null,
  stored: readonly Stored[],
): Promise<number> {
  const first = Math.min(...stored.filter(({ duplicate }) => !duplicate).map(({ sequence }) => sequence));
  if (newest === null || first > newest) return 0;
  const { rowCount } = await client.query(
    `UPDATE chassis.outbox SET ${unpublished}
     WHERE published_at IS NOT NULL AND stream_created = $1 AND stream_sequence BETWEEN $2 AND $3`,
    [created, first, newest],
  );
  return rowCount ?? 0;
}
