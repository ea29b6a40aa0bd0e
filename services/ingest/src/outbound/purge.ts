/** What a purge removes: the sources of a video, and the rows of their fetches. */
import type { Executor } from '@vds/chassis/database/database';
import { attemptOf } from '@vds/chassis/objects/keys';
import type { Objects } from '@vds/chassis/objects/objects';
import type { Purge, PurgeDefinition } from '@vds/chassis/stage/purge';
import { attemptStates, type StageState } from '@vds/chassis/stage/stage-rows';
import { events } from '@vds/proto/events';
import { findUploads, findWinners, removeParts } from './fetch-rows.ts';

export function purgeOf(objects: Objects): PurgeDefinition {
  return {
    event: events.ingestVideoPurged,
    objects,
    findWinners,
    sourceKeys: async (purge: Purge, client: Executor) =>
      staleSources(purge, await attemptStates(client, 'fetch', purge.videoId)),
    removeSourceRows: async (purge: Purge, client: Executor) => {
      const states = await attemptStates(client, 'fetch', purge.videoId);
      const stale = [...states.keys()].filter((attempt) => isStale(purge, states, attempt));
      await removeParts(client, purge.videoId, stale);
    },
    findUploads,
    tables: ['fetches'],
  };
}

/** Returns the test for sources that are no longer needed. */
export function staleSources(purge: Purge, states: ReadonlyMap<number, StageState>) {
  return (key: string): boolean => {
    const attempt = attemptOf(key);
    return attempt !== undefined && isStale(purge, states, attempt);
  };
}

/** Whether the source of an attempt is no longer needed. One that is being fetched is spared. */
function isStale({ keepAttempt, upTo }: Purge, states: ReadonlyMap<number, StageState>, attempt: number): boolean {
  const isBefore = keepAttempt === 0 || attempt < keepAttempt;
  return isBefore && attempt <= upTo && states.get(attempt) !== 'open';
}
