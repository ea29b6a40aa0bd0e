/** Removes the files of lost tries and replaced tracks within an attempt. */
import type { Executor } from '@vds/chassis/database/database';
import type { Purge, PurgeDefinition } from '@vds/chassis/stage/purge';
import { events } from '@vds/proto/events';
import { attemptPrefix, foldersOf, videoPrefix } from '../domain/object-keys.ts';
import { readJob, type AttemptKey } from '../outbound/caption-rows.ts';
import { foldersReplacedWithin, jobsInProgress } from '../outbound/job-folders.ts';
import type { CaptionsStageJob, Deps as JobDeps } from './deps.ts';

type Deps = Pick<JobDeps, 'captions' | 'garbageAfterMs'> & { readonly pool: Executor };

export async function runCollect(job: CaptionsStageJob, deps: Deps): Promise<void> {
  const lost = await lostKeys(deps, job);
  if (lost.size > 0) await deps.captions.removePrefix(attemptPrefix(job.videoId, job.attempt), (key) => lost.has(key));
  await job.complete();
}

/** What a purge removes: everything of a video, or the files of earlier attempts and lost tries. */
export function purgeOf(deps: Deps): PurgeDefinition {
  return {
    event: events.captionsVideoPurged,
    store: { objects: deps.captions, prefix: videoPrefix, matches: (purge) => purgedKeys(deps, purge) },
    tables: ['caption_jobs', 'transcribed_chunks'],
  };
}

/** Returns the test for keys to remove. Captions keeps nothing of the source itself. */
async function purgedKeys(deps: Deps, { videoId, scope, keepAttempt }: Purge): Promise<(key: string) => boolean> {
  if (scope === 'PURGE_SCOPE_SOURCE') return () => false;
  if (scope === 'PURGE_SCOPE_VIDEO' || keepAttempt === 0) return () => true;
  const lost = await lostKeys(deps, { videoId, attempt: keepAttempt });
  const attemptOf = (key: string): number => Number(key.slice(videoPrefix(videoId).length).split('/', 1)[0]);
  return (key) => attemptOf(key) < keepAttempt || lost.has(key);
}

/**
 * Keys of an attempt that no track refers to, no job is writing, and no player may still be reading. The keys are
 * listed first: every listed folder was begun before the rows are read, so that by then it is referred to, in progress
 * or lost. Replaced folders are read last, so that no replacement in between is missed.
 */
export async function lostKeys(
  { captions, pool, garbageAfterMs }: Deps,
  { videoId, attempt }: AttemptKey,
): Promise<Set<string>> {
  const key = { videoId, attempt };
  const prefix = attemptPrefix(videoId, attempt);
  const keys = await captions.list(prefix);
  const jobs = await jobsInProgress(pool, key);
  const job = await readJob(pool, key);
  const kept = job ? foldersOf(job.state) : new Set<string>();
  const named = [...kept].map((folder) => folder.slice(prefix.length, -1));
  const replaced = await foldersReplacedWithin(pool, key, named, garbageAfterMs);
  const isKept = (found: string): boolean => {
    const [folder = ''] = found.slice(prefix.length).split('/', 1);
    if (kept.has(`${prefix}${folder}/`) || replaced.includes(folder)) return true;
    return jobs.includes(folder.slice(0, folder.lastIndexOf('.')));
  };
  return new Set(keys.filter((found) => !isKept(found)));
}
