/** Removing what lost tries and replaced tracks left within an attempt. */
import type { Executor } from '@vds/chassis/database/database';
import type { Job } from '@vds/chassis/work/work';
import { attemptPrefix, foldersOf } from '../domain/object-keys.ts';
import type { CaptionJob } from '../domain/caption-job.ts';
import { readTitle, type TitleKey } from '../outbound/titles.ts';
import { foldersReplacedWithin, jobsInProgress } from '../outbound/units.ts';
import type { Deps } from './deps.ts';

export async function tidy(place: Deps, job: Job, title: CaptionJob): Promise<void> {
  const lost = await lostKeys(place, title);
  if (lost.size > 0)
    await place.captions.removePrefix(attemptPrefix(title.videoId, title.attempt), (key) => lost.has(key));
  await job.complete();
}

/**
 * Keys of an attempt that no track names, nobody is writing, and no player may still be reading. The keys are listed
 * first: a folder that is among them was begun before the rows are read, so that it is named by now, or under way, or
 * lost. What was replaced is asked for last, so that no track is replaced unseen in between.
 */
export async function lostKeys(
  { captions, pool, tidyAfterMs }: Pick<Deps, 'captions' | 'tidyAfterMs'> & { readonly pool: Executor },
  key: TitleKey,
): Promise<Set<string>> {
  const prefix = attemptPrefix(key.videoId, key.attempt);
  const keys = await captions.list(prefix);
  const units = await jobsInProgress(pool, key);
  const title = await readTitle(pool, key);
  const kept = title ? foldersOf(title.state) : new Set<string>();
  const named = [...kept].map((folder) => folder.slice(prefix.length, -1));
  const replaced = await foldersReplacedWithin(pool, key, named, tidyAfterMs);
  const isKept = (found: string): boolean => {
    const [folder = ''] = found.slice(prefix.length).split('/', 1);
    if (kept.has(`${prefix}${folder}/`) || replaced.includes(folder)) return true;
    return units.includes(folder.slice(0, folder.lastIndexOf('.')));
  };
  return new Set(keys.filter((found) => !isKept(found)));
}
