/** What a purge is about here: everything of a video, or what earlier attempts and lost tries left. */
import type { PurgeRequest, PurgeOptions } from '@vds/chassis/stage/purge';
import { videoPrefix } from '../domain/object-keys.ts';
import { publishPurged } from '../outbound/publisher.ts';
import { removeTitles } from '../outbound/titles.ts';
import { lostKeys } from './tidy.ts';
import type { Deps } from './deps.ts';

/** The part of the purge desk that knows captions. */
export function purgeRules(
  place: Pick<Deps, 'captions' | 'pool' | 'tidyAfterMs'>,
): Pick<PurgeOptions, 'store' | 'forget' | 'say'> {
  return {
    store: { objects: place.captions, prefix: videoPrefix, matches: concernedBy(place) },
    forget: async (client, { groupKey, scope, keepAttempt }) => {
      if (scope !== 'source') await removeTitles(client, groupKey, scope === 'all' ? 0 : keepAttempt);
    },
    say: publishPurged,
  };
}

/** Makes the test of a key. Nothing here is of the source itself. */
function concernedBy(place: Pick<Deps, 'captions' | 'pool' | 'tidyAfterMs'>) {
  return async ({ groupKey, scope, keepAttempt }: PurgeRequest): Promise<(key: string) => boolean> => {
    if (scope === 'source') return () => false;
    if (scope === 'all' || keepAttempt === 0) return () => true;
    const lost = await lostKeys(place, { videoId: groupKey, attempt: keepAttempt });
    const attemptOf = (key: string): number => Number(key.slice(videoPrefix(groupKey).length).split('/', 1)[0]);
    return (key) => attemptOf(key) < keepAttempt || lost.has(key);
  };
}
