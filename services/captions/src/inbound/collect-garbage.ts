/** Removes the files of lost tries and replaced tracks within an attempt. */
import type { Executor } from '@vds/chassis/database/database';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { attemptPrefix, tryOfFolder } from '@vds/chassis/objects/keys';
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { listJobs, type KnownJob } from '@vds/chassis/work/job-rows';
import { events } from '@vds/proto/events';
import { foldersOf } from '../domain/object-keys.ts';
import { readJob, type AttemptKey } from '../outbound/caption-rows.ts';
import type { CaptionsStageJob, Deps as JobDeps } from './deps.ts';

type Deps = Pick<JobDeps, 'captions' | 'garbageAfterMs'> & { readonly pool: Executor };

export async function runCollect(job: CaptionsStageJob, deps: Deps): Promise<void> {
  const lost = await lostKeys(deps, job);
  await failpoint('captions.garbage-listed');
  if (lost.size > 0) await deps.captions.removePrefix(attemptPrefix(job.videoId, job.attempt), (key) => lost.has(key));
  await job.complete();
}

/** What a purge removes beside the files of earlier attempts: those of lost tries within the attempt to keep. */
export function purgeOf(deps: Deps): PurgeDefinition {
  return {
    event: events.captionsVideoPurged,
    objects: deps.captions,
    alsoRemoves: async ({ videoId, scope, keepAttempt }) => {
      if (scope !== 'PURGE_SCOPE_OTHER_ATTEMPTS' || keepAttempt === 0) return () => false;
      const lost = await lostKeys(deps, { videoId, attempt: keepAttempt });
      return (key) => lost.has(key);
    },
    tables: ['caption_jobs', 'transcribed_chunks'],
  };
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
  const stageJobs = { stage: 'captions', videoId, attempt };
  const prefix = attemptPrefix(videoId, attempt);
  const keys = await captions.list(prefix);
  const inProgress = (await listJobs(pool, stageJobs)).filter(({ state }) => state === 'ready' || state === 'running');
  const job = await readJob(pool, stageJobs);
  const current = new Set([...(job ? foldersOf(job.state) : [])].map((folder) => folder.slice(prefix.length, -1)));
  const replaced = replacedTries(await listJobs(pool, stageJobs), current, garbageAfterMs);
  const isKept = (key: string): boolean => {
    const [folder = ''] = key.slice(prefix.length).split('/', 1);
    const writer = folder.slice(0, folder.lastIndexOf('.'));
    return current.has(folder) || replaced.has(tryOfFolder(folder)) || inProgress.some(({ name }) => name === writer);
  };
  return new Set(keys.filter((key) => !isKept(key)));
}

/** Tries that made earlier tracks, which one of the current folders replaced within so many milliseconds. */
function replacedTries(jobs: readonly KnownJob[], current: ReadonlySet<string>, withinMs: number): ReadonlySet<string> {
  const winners = new Set([...current].map(tryOfFolder));
  const recent = jobs.filter(
    ({ name, fence, endedMs }) => winners.has(`${name}.${fence}`) && endedMs !== null && endedMs < withinMs,
  );
  const replacing = new Set(recent.map(({ name }) => kindOf(name)));
  const old = jobs.filter(({ name, state }) => state === 'done' && replacing.has(kindOf(name)));
  return new Set(old.map(({ name, fence }) => `${name}.${fence}`));
}

/** A job's name without its generation, which is the first number in it. */
function kindOf(name: string): string {
  return name.replace(/[0-9]+/, '');
}
