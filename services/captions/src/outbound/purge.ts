/** What a purge removes of captions, and which folders of an attempt stay while its video does. */
import type { Objects } from '@vds/chassis/objects/objects';
import { tryOfFolder } from '@vds/chassis/objects/keys';
import type { FindWinners } from '@vds/chassis/stage/orphaned-objects';
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { listJobs, type KnownJob } from '@vds/chassis/work/job-rows';
import { events } from '@vds/proto/events';
import { foldersOf } from '../domain/object-keys.ts';
import { readJob } from './caption-rows.ts';

type Deps = { readonly captions: Objects; readonly garbageAfterMs: number };

export function purgeOf({ captions, garbageAfterMs }: Deps): PurgeDefinition {
  return {
    event: events.captionsVideoPurged,
    objects: captions,
    findWinners: winnersOf(garbageAfterMs),
    documentsInUse: ({ captionKeys }) => captionKeys,
    tables: ['caption_jobs', 'transcribed_chunks'],
  };
}

/**
 * The folders of an attempt that tracks refer to, and those that a player may still be reading. Replaced folders are
 * read last, so that no replacement in between is missed.
 */
export function winnersOf(garbageAfterMs: number): FindWinners {
  return async (client, { videoId, attempt }) => {
    const job = await readJob(client, { videoId, attempt });
    if (!job) return undefined;
    const current = foldersOf(job.state);
    const jobs = await listJobs(client, { stage: 'captions', videoId, attempt });
    return new Set([...current, ...replacedTries(jobs, current, garbageAfterMs)]);
  };
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
