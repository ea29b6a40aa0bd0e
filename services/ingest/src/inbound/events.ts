/** What ingest hears from catalog: fetch this, stop that, remove it. Handlers write rows and acknowledge; slots do the work. */
import { events } from '@vds/proto/events';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import { withTransaction, type Pool } from '@vds/chassis/database/database';
import { isTombstoned } from '@vds/chassis/stage/tombstones';
import { enqueue, type Workers } from '@vds/chassis/work/work';
import { publishEnded } from '../outbound/publisher.ts';
import { addFetch, cancelFetches, findEnd } from '../outbound/fetches.ts';
import type { PrismaClient } from '../outbound/prisma.ts';
import { requestPurge } from '../outbound/purges.ts';

export type Deps = {
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly workers: Pick<Workers, 'notify' | 'abortGroup'>;
  /** Wakes the outbox relay. */
  readonly wake: () => void;
};

/** Requests, each heard once by the service. */
export function durableHandlers(heard: Deps): readonly EventHandler[] {
  return [fetchRequested(heard), purgeRequested(heard)];
}

/** A repeated request: nothing for an open fetch, the same answer for one that has ended, a start for one that is not there. */
function fetchRequested({ pool, prisma, workers, wake }: Deps): EventHandler {
  return on(events.fetchRequested, async ({ videoId, attempt, publisherId, sourceUrl, acceptedAtMs }, { id }) => {
    const added = await withTransaction(pool, async (client) => {
      if (await isTombstoned(client, videoId)) return true; // Gone for ever: nobody waits for an answer.
      if (!(await addFetch(client, { videoId, attempt, publisherId, sourceUrl, acceptedAt: new Date(acceptedAtMs) })))
        return false;
      await enqueue(client, [{ queue: 'fetch', groupKey: videoId, attempt, unit: 'source.1', tenant: publisherId }]);
      return true;
    });
    if (added) return workers.notify();
    const end = await findEnd(prisma, { videoId, attempt });
    if (!end) return;
    await publishEnded(pool, end, id);
    wake();
  });
}

function purgeRequested({ pool, workers }: Deps): EventHandler {
  return on(events.purgeRequested, async ({ videoId, scope, keepAttempt, owners }, { id }) => {
    if (!owners.includes('ingest') || scope === 'PURGE_SCOPE_UNSPECIFIED') return;
    await withTransaction(pool, (client) => requestPurge(client, { videoId, scope, keepAttempt }, id));
    if (scope === 'PURGE_SCOPE_VIDEO') workers.abortGroup(videoId);
    workers.notify();
  });
}

/** What every replica hears. */
export function broadcastHandlers(heard: Deps): readonly EventHandler[] {
  return [videoCancelled(heard)];
}

/** Heard by every replica: the rows are cancelled by the first, each aborts what it runs itself. */
function videoCancelled({ pool, workers }: Deps): EventHandler {
  return on(events.videoCancelled, async ({ videoId }) => {
    await withTransaction(pool, (client) => cancelFetches(client, videoId));
    workers.abortGroup(videoId);
  });
}
