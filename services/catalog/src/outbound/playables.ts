/** Resolves playback ids for playback: from the database, and from a stale cache while it is unavailable. */
import { openStaleCache } from '@vds/chassis/cache/stale-cache';
import { AppError, messageOf, notFound } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Plan } from '../domain/plan.ts';
import type { Listings, Playable } from './listings.ts';

/** About 7 KB each, with all tracks: 35 MB. */
const MAX_ENTRIES = 5_000;
const STALE_MS = 300_000;
/** Playback waits 2 s for a reply. */
const LOAD_TIMEOUT_MS = 500;

type Deps = { readonly log: Logger; readonly metrics: Metrics };

export function openPlayables(read: Listings['playable'], { log, metrics }: Deps) {
  const reads = metrics.counter('vds_catalog_playable_reads_total', 'Replies to playback, by source', ['outcome']);
  const cache = openStaleCache<Playable>({
    load: async (playbackId) => {
      try {
        return { value: await read(playbackId), ageMs: 0 };
      } catch (error) {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return { value: undefined, ageMs: 0 };
        // Playback then calls another replica, which may have it cached.
        throw new AppError('UNAVAILABLE', 'the video cannot be read', { cause: error });
      }
    },
    versionOf: ({ videoId: id, version }) => ({ id, version }),
    maxEntries: MAX_ENTRIES,
    freshMs: 0,
    staleMs: STALE_MS,
    loadTimeoutMs: LOAD_TIMEOUT_MS,
    onLookup: (outcome) => reads.inc({ outcome }),
    onStale: (cause) => log.warn({ reason: messageOf(cause) }, 'database unavailable: serving playback from the cache'),
  });
  return {
    /**
     * The video of a playback id, and its age in milliseconds: 0 except while the database is unavailable.
     * @throws AppError NOT_FOUND for a playback id that was never minted; UNAVAILABLE when it is neither readable nor cached
     */
    find: async (playbackId: string): Promise<Playable & { readonly ageMs: number }> => {
      const { value, ageMs } = await cache.find(playbackId);
      if (!value) throw notFound('the playback id');
      return { ...value, ageMs };
    },
    drop: cache.drop,
    /** Drops the video of a plan that was written: its entry is outdated. */
    observe: ({ video }: Plan): void => cache.drop(video.id, video.version),
  };
}
export type Playables = ReturnType<typeof openPlayables>;
