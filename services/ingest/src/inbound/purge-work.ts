/** The slot's door for purges: objects and uploads first, then rows, then the list that proves it. */
import type { Pool } from '@vds/chassis/database/database';
import type { Objects } from '@vds/chassis/objects/objects';
import { emptyPrefix, removeWork } from '@vds/chassis/stage/tombstones';
import type { Job, Queue } from '@vds/chassis/work/work';
import { coveredBy } from '../domain/purge-scope.ts';
import { videoPrefix } from '../domain/source-layout.ts';
import type { PrismaClient } from '../outbound/prisma.ts';
import { finalSweep, publishPurged, type PurgeUnit } from '../outbound/purges.ts';

export type PurgeWork = {
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly objects: Objects;
  /** Pause before the second run: longer than any lease. */
  readonly againMs: number;
};

/** The queue of purges. One that fails for good is asked for again by catalog, for ever. */
export function purgeQueue(work: PurgeWork): Queue {
  return {
    slots: 2,
    run: (job) => run(work, job),
    failed: () => Promise.resolve(),
  };
}

async function run({ pool, prisma, objects, againMs }: PurgeWork, job: Job): Promise<void> {
  const unit = job.payload as PurgeUnit;
  const { videoId, scope } = unit;
  const fetches = await prisma.fetch.findMany({
    where: { videoId },
    select: { attempt: true, state: true, uploadKey: true },
  });
  if (scope === 'PURGE_SCOPE_VIDEO') {
    await prisma.fetch.deleteMany({ where: { videoId } });
    await removeWork(pool, videoId);
  }
  await emptyPrefix(objects, videoPrefix(videoId), coveredBy(unit, fetches));
  await job.complete(async (client) => {
    if (unit.request === undefined) return;
    await publishPurged(client, unit);
    await finalSweep(client, unit, againMs);
  });
}
