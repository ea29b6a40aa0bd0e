/** Removes the files of lost tries and replaced tracks within an attempt. */
import type { Executor } from '@vds/chassis/database/database';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { attemptPrefix, folderPrefix } from '@vds/chassis/objects/keys';
import { orphanedKeys } from '@vds/chassis/stage/orphaned-objects';
import { winnersOf } from '../outbound/purge.ts';
import type { CaptionsStageJob, Deps as JobDeps } from './deps.ts';

type Deps = Pick<JobDeps, 'captions' | 'garbageAfterMs'> & { readonly pool: Executor };

/**
 * What catalog uses stays, whatever the rows say: it may not have heard of its replacement yet, and rows of a restored
 * database name what was made again, while viewers get what was made before. The job waits until catalog uses it no
 * longer.
 */
export async function runCollect(
  job: CaptionsStageJob,
  { captions, inUse, pool, garbageAfterMs }: Deps & Pick<JobDeps, 'inUse'>,
): Promise<void> {
  const findWinners = winnersOf(garbageAfterMs);
  const orphans = await orphanedKeys({ objects: captions, client: pool, findWinners }, job);
  await failpoint('captions.garbage-listed');
  if (!orphans || orphans.size === 0) return job.complete();
  const [video] = await inUse.of([job.videoId]);
  const used = new Set(video?.captionKeys.map(folderPrefix));
  const isUsed = (key: string): boolean => used.has(folderPrefix(key));
  const isGarbage = (key: string): boolean => orphans.has(key) && !isUsed(key);
  await captions.removePrefix(attemptPrefix(job.videoId, job.attempt), isGarbage);
  return [...orphans].some(isUsed) ? job.postpone(garbageAfterMs) : job.complete();
}
