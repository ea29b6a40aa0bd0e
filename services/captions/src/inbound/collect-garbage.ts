/** Removes the files of lost tries and replaced tracks within an attempt. */
import type { Executor } from '@vds/chassis/database/database';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { attemptPrefix, folderPrefix } from '@vds/chassis/objects/keys';
import { orphanedKeys } from '@vds/chassis/stage/orphaned-objects';
import { winnersOf } from '../outbound/purge.ts';
import type { CaptionsStageJob, Deps as JobDeps } from './deps.ts';

type Deps = Pick<JobDeps, 'captions' | 'garbageAfterMs'> & { readonly pool: Executor };

/**
 * What catalog uses stays, whatever the rows say: those of a database that was restored to an earlier moment name what
 * it has made again, while viewers get what was made before. A later collection, or a purge, removes it then.
 */
export async function runCollect(
  job: CaptionsStageJob,
  { captions, inUse, pool, garbageAfterMs }: Deps & Pick<JobDeps, 'inUse'>,
): Promise<void> {
  const findWinners = winnersOf(garbageAfterMs);
  const orphans = await orphanedKeys({ objects: captions, client: pool, findWinners }, job);
  await failpoint('captions.garbage-listed');
  if (orphans && orphans.size > 0) {
    const [video] = await inUse.of([job.videoId]);
    const used = new Set(video?.captionKeys.map(folderPrefix));
    const isGarbage = (key: string): boolean => orphans.has(key) && !used.has(folderPrefix(key));
    await captions.removePrefix(attemptPrefix(job.videoId, job.attempt), isGarbage);
  }
  await job.complete();
}
