/** What viewers may see, for playback: out of the database, and what was read last while that is away. */
import { openStaleCache } from '@vds/chassis/cache/stale-cache';
import { AppError, messageOf, notFound } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Listings, Playable } from './listings.ts';

/** About 7 KB each, with all tracks: 35 MB. */
const REMEMBERED = 5_000;
const STALE_MS = 300_000;
/** Playback gives a question 2 s. */
const PATIENCE_MS = 500;

type Deps = { readonly log: Logger; readonly metrics: Metrics };

export function openPlayables(read: Listings['playable'], { log, metrics }: Deps) {
  const reads = metrics.counter('vds_catalog_playable_reads_total', 'Answers to playback, by where they came from', [
    'outcome',
  ]);
  const memory = openStaleCache<Playable>({
    load: async (playbackId) => {
      try {
        return { value: await read(playbackId), ageMs: 0 };
      } catch (error) {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return { value: undefined, ageMs: 0 };
        // Playback asks another replica then, which may remember.
        throw new AppError('UNAVAILABLE', 'the video cannot be read', { cause: error });
      }
    },
    versionOf: ({ videoId: id, version }) => ({ id, version }),
    maxEntries: REMEMBERED,
    freshMs: 0,
    staleMs: STALE_MS,
    loadTimeoutMs: PATIENCE_MS,
    onLookup: (outcome) => reads.inc({ outcome }),
    onStale: (cause) =>
      log.warn({ reason: messageOf(cause) }, 'the database is away; playback is told what was read last'),
  });
  return {
    /**
     * The video of a playback id, and the age of the answer in milliseconds: 0, but while the database is away.
     * @throws AppError NOT_FOUND for a playback id that was never minted; UNAVAILABLE when it cannot be read and nothing is remembered
     */
    find: async (playbackId: string): Promise<Playable & { readonly ageMs: number }> => {
      const { value, ageMs } = await memory.find(playbackId);
      if (!value) throw notFound('the playback id');
      return { ...value, ageMs };
    },
    drop: memory.drop,
  };
}
export type Playables = ReturnType<typeof openPlayables>;
