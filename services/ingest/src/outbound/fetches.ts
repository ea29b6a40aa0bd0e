/** Fetches as requests and purges see them; what a claimed one reads and writes is in claimed-fetch.ts. */
import type { Executor } from '@vds/chassis/database/database';
import { cancelGroup } from '@vds/chassis/work/work';
import type { FetchId } from './claimed-fetch.ts';
import type { FetchEnd } from './publisher.ts';
import type { PrismaClient } from './prisma.ts';

export type NewFetch = FetchId & {
  readonly publisherId: string;
  readonly sourceUrl: string;
  readonly acceptedAt: Date;
};

/** False when the attempt is known already. */
export async function addFetch(client: Executor, fetch: NewFetch): Promise<boolean> {
  const { videoId, attempt, publisherId, sourceUrl, acceptedAt } = fetch;
  const { rowCount } = await client.query(
    `INSERT INTO fetches (video_id, attempt, publisher_id, source_url, accepted_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (video_id, attempt) DO NOTHING`,
    [videoId, attempt, publisherId, sourceUrl, acceptedAt],
  );
  return rowCount === 1;
}

/** How a fetch ended; undefined while it is open and after it was cancelled. */
export async function findEnd(prisma: PrismaClient, { videoId, attempt }: FetchId): Promise<FetchEnd | undefined> {
  const row = await prisma.fetch.findUnique({ where: { videoId_attempt: { videoId, attempt } } });
  if (row?.state === 'failed')
    return { videoId, attempt, state: 'failed', code: row.code ?? '', details: row.details as Record<string, string> };
  if (row?.state !== 'completed') return undefined;
  const sourceBytes = Number(row.storedBytes);
  return {
    videoId,
    attempt,
    state: 'completed',
    sourceKey: row.uploadKey ?? '',
    sourceBytes,
    digest: row.digest ?? '',
  };
}

/**
 * Ends the open fetches of a video, or of its attempts before one (0: all), and takes their units of work away. A running
 * one loses its lease and notices.
 */
export async function cancelFetches(client: Executor, videoId: string, keepAttempt = 0): Promise<void> {
  // Units first: one that is being ended holds its own row and waits for the fetch's.
  await cancelGroup(client, videoId, keepAttempt === 0 ? undefined : keepAttempt);
  await client.query(
    `UPDATE fetches SET state = 'cancelled', source_url = '', finished_at = now()
     WHERE video_id = $1 AND ($2 = 0 OR attempt < $2) AND state = 'open'`,
    [videoId, keepAttempt],
  );
}

/** Moves fetches that nobody has claimed for too long to the queue of further slots; returns how many. */
export async function moveOverdue(client: Executor, startWithinMs: number): Promise<number> {
  const { rowCount } = await client.query(
    // What is locked is being claimed, cancelled or moved by another replica.
    `UPDATE chassis.work SET queue = 'fetch-overdue' WHERE id IN (
       SELECT work.id FROM chassis.work JOIN fetches ON group_key = video_id AND work.attempt = fetches.attempt
       WHERE fetches.state = 'open' AND fetches.fence = 0 AND accepted_at < now() - $1 * interval '1 millisecond'
         AND queue = 'fetch' AND work.state = 'ready'
       FOR UPDATE OF work SKIP LOCKED)`,
    [startWithinMs],
  );
  return rowCount ?? 0;
}
