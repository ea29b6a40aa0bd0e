/** The door through which purges come: empty the prefix, list it to prove it, forget the rows, say so. */
import type { PoolClient } from '@vds/shared/database';
import { addToOutbox } from '@vds/shared/outbox';
import { emptyPrefix, removeWork } from '@vds/shared/purge';
import { enqueue, type Job, type Queue } from '@vds/shared/work';
import { videoPrefix } from '../domain/hls/object-keys.ts';
import { concernedBy } from '../domain/purge-scope.ts';
import { lateLook, purgeGroup } from '../outbound/purges.ts';
import { sayPurged, type Purge } from '../outbound/says.ts';
import { removeRows } from '../outbound/stages.ts';
import type { Workplace } from './workplace.ts';

const forget = async (client: PoolClient, { scope, videoId, keepAttempt }: Purge): Promise<void> => {
  if (scope === 'PURGE_SCOPE_VIDEO') {
    await removeRows(client, videoId, 0);
    await removeWork(client, videoId);
  }
  if (scope === 'PURGE_SCOPE_OTHER_ATTEMPTS') await removeRows(client, videoId, keepAttempt);
};

const perform = async ({ media, purgeAgainMs }: Workplace, job: Job): Promise<void> => {
  const purge = job.payload as Purge;
  await emptyPrefix(media, videoPrefix(purge.videoId), concernedBy(purge));
  await job.complete(async (client) => {
    await forget(client, purge);
    await addToOutbox(client, [sayPurged(purge, job.unit)]);
    if (purge.scope !== 'PURGE_SCOPE_VIDEO' || job.unit === lateLook) return;
    const groupKey = purgeGroup(purge.videoId);
    await enqueue(client, [
      { queue: 'purge', groupKey, attempt: 0, unit: lateLook, payload: purge, delayMs: purgeAgainMs },
    ]);
  });
};

export const purgeQueue = (workplace: Workplace, slots: number): Queue => ({
  slots,
  run: (job) => perform(workplace, job),
  // Who asked says it again until it is answered; the next asking begins anew.
  failed: async (_client, job, error) => workplace.log.error({ err: error, group: job.groupKey }, 'a purge failed'),
});
