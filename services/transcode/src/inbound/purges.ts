/** The door through which purges come: what of a video's title is theirs, in the words of the house and of the chassis. */
import type { PurgeScopeOut } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { openPurges, type PurgeRequest, type PurgeOptions, type Purges } from '@vds/chassis/stage/purge';
import type { Objects } from '@vds/chassis/objects/objects';
import { videoPrefix } from '../domain/hls/object-keys.ts';
import { concernedBy } from '../domain/purge-scope.ts';
import { publishPurged, type Purge } from '../outbound/publisher.ts';
import { cancelStages, removeRows } from '../outbound/stages.ts';

const scopes = {
  all: 'PURGE_SCOPE_VIDEO',
  before: 'PURGE_SCOPE_OTHER_ATTEMPTS',
  source: 'PURGE_SCOPE_SOURCE',
} as const;

type Asking = { readonly videoId: string; readonly scope: PurgeScopeOut; readonly keepAttempt: number };

/** For the ear of the request; one without a scope asks for nothing. */
export async function askPurge(purges: Purges, { videoId, scope, keepAttempt }: Asking): Promise<void> {
  for (const kind of ['all', 'before', 'source'] as const)
    if (scopes[kind] === scope) await purges.ask({ groupKey: videoId, scope: kind, keepAttempt });
}

/** Purges of the media bucket and of the rows behind it. */
export function purgesOf(media: Objects, given: Omit<PurgeOptions, 'store' | 'stop' | 'forget' | 'say'>): Purges {
  return openPurges({
    ...given,
    store: { objects: media, prefix: videoPrefix, matches: (asked) => concernedBy(heard(asked)) },
    stop: (client, asked) => cancelStages(client, asked.groupKey, boundOf(asked)),
    forget: async (client, asked) => {
      if (asked.scope !== 'source') await removeRows(client, asked.groupKey, boundOf(asked));
    },
    say: (asked, cause) => publishPurged(heard(asked), cause),
  });
}

function heard({ groupKey, scope, keepAttempt }: PurgeRequest): Purge {
  return {
    videoId: groupKey,
    scope: scopes[scope],
    keepAttempt,
  };
}

/** Attempts before this one are no longer wanted; 0: none of them is. */
function boundOf({ scope, keepAttempt }: PurgeRequest): number {
  return scope === 'all' ? 0 : keepAttempt;
}
