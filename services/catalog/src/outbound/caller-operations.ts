/** What callers of RPC have done and read, over connections of their own. */
import type { Pool } from '@vds/chassis/database/database';
import { orUndefinedIfNotFound } from '@vds/chassis/process/startup-checks';
import {
  createVideo,
  dailyCount,
  type DailyCountQuery,
  type Deps as CreateDeps,
  type NewVideo,
} from './create-video.ts';
import type { Listings } from './listings.ts';
import { loadSnapshot } from './snapshots.ts';
import { openVideoStore, type Deps as StoreDeps } from './video-store.ts';

type Deps = StoreDeps &
  Omit<CreateDeps, 'pool'> & {
    /** Not the connections of events and periodic tasks: partners and viewers do not queue behind those. */
    readonly pool: Pool;
    readonly listings: Listings;
  };

export function callerOperations(deps: Deps) {
  const { pool, listings } = deps;
  const load = (id: string, publisherId?: string) => loadSnapshot(pool, id, publisherId);
  const count = (query: DailyCountQuery) => dailyCount(pool, query);
  return {
    create: (video: NewVideo, leftMs: () => number) => createVideo(deps, video, leftMs),
    dailyCount: count,
    load,
    change: openVideoStore(deps).change,
    listings,
    /** Reads of what does not exist, for the warm-up. */
    warmUps: {
      get: () => load('warm-up', 'warm-up'),
      count: () => count({ budgetId: 'warm-up', dailyLimit: 1, publisherId: 'warm-up' }),
      playable: () => orUndefinedIfNotFound(listings.playable('warm-up')),
    },
  };
}
