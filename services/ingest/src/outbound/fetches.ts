/** Fetches as requests and purges see them; what a claimed one reads and writes is in claimed-fetch.ts. */
import type { Executor } from '@vds/shared/database';
import { cancelGroup } from '@vds/shared/work';
import type { FetchId } from './claimed-fetch.ts';
import type { FetchEnd } from './fetch-facts.ts';
import type { PrismaClient } from './prisma.ts';

export type NewFetch = FetchId & {
  readonly publisherId: string;
  readonly sourceUrl: string;
  readonly acceptedAt: Date;
};

/** False when the attempt is known already. */
export const addFetch = async (client: Executor, fetch: NewFetch): Promise<boolean> => {
  const { videoId, attempt, publisherId, sourceUrl, acceptedAt } = fetch;
  const { rowCount } = await client.query(
    `INSERT INTO fetches (video_id, attempt, publisher_id, source_url, accepted_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (video_id, attempt) DO NOTHING`,
    [videoId, attempt, publisherId, sourceUrl, acceptedAt],
  );
  return rowCount === 1;
};

/** How a fetch ended; undefined while it is open and after it was cancelled. */
export const findEnd = async (prisma: PrismaClient, { videoId, attempt }: FetchId): Promise<FetchEnd | undefined> => {
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
};

/** Ends every open fetch of a video and takes its units of work away. */
export const cancelFetches = async (client: Executor, videoId: string): Promise<void> => {
  await client.query(
    `UPDATE fetches SET state = 'cancelled', source_url = '', finished_at = now() WHERE video_id = $1 AND state = 'open'`,
    [videoId],
  );
  await cancelGroup(client, videoId);
};

/** Like `cancelFetches`, for every attempt before one (0: for all). A running one loses its lease and notices. */
export const cancelOtherAttempts = async (client: Executor, videoId: string, keepAttempt: number): Promise<void> => {
  await client.query(
    `UPDATE fetches SET state = 'cancelled', source_url = '', finished_at = now()
     WHERE video_id = $1 AND ($2 = 0 OR attempt < $2) AND state = 'open'`,
    [videoId, keepAttempt],
  );
  await client.query(
    `UPDATE chassis.work SET state = 'cancelled', finished_at = now(), lease_until = NULL
     WHERE group_key = $1 AND ($2 = 0 OR attempt < $2) AND state IN ('ready', 'running')`,
    [videoId, keepAttempt],
  );
};

/** Moves fetches that nobody has claimed for too long to the queue of further slots; returns how many. */
export const moveOverdue = async (client: Executor, startWithinMs: number): Promise<number> => {
  const { rowCount } = await client.query(
    `UPDATE chassis.work SET queue = 'fetch-overdue' FROM fetches
     WHERE fetches.state = 'open' AND fetches.fence = 0 AND fetches.accepted_at < now() - $1 * interval '1 millisecond'
       AND work.group_key = fetches.video_id AND work.attempt = fetches.attempt
       AND work.queue = 'fetch' AND work.state = 'ready'`,
    [startWithinMs],
  );
  return rowCount ?? 0;
};
