/** The gates of videos, by playback id or video id, resolved by catalog and cached for a short time (`cache/stale-cache`). */
import { limitConcurrency } from '@vds/chassis/async';
import { openStaleCache, type CachedAnswer } from '@vds/chassis/cache/stale-cache';
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Gate } from '../domain/gate.ts';

type Options = {
  readonly resolve: (playbackId: string) => Promise<Gate | undefined>;
  /** How long a gate is fresh, and how long it is used while catalog is down. */
  readonly freshMs: number;
  readonly staleMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** About 7 KB each, with all tracks. */
const MAX_GATES = 20_000;
const LOAD_TIMEOUT_MS = 1_000;
/** Questions about ids for which nobody has shown a token: at once, and waiting. A page may show many thumbnails. */
const STRANGERS_AT_ONCE = 8;
const STRANGERS_WAITING = 500;

export function openGates({ resolve, freshMs, staleMs, log, metrics }: Options) {
  const reads = metrics.counter('vds_playback_gate_reads_total', 'Reads of a gate, by source', ['outcome']);
  const cache = openStaleCache<Gate>({
    load: resolve,
    versionOf: ({ videoId: id, version }) => ({ id, version }),
    maxEntries: MAX_GATES,
    freshMs,
    staleMs,
    loadTimeoutMs: LOAD_TIMEOUT_MS,
    onLookup: (outcome) => reads.inc({ outcome }),
    onStale: (cause) => log.warn({ reason: messageOf(cause) }, 'catalog unavailable, serving stale gates'),
  });
  const forStrangers = limitConcurrency(STRANGERS_AT_ONCE, STRANGERS_WAITING);
  const find = (playbackId: string, isVerified: boolean): Promise<CachedAnswer<Gate>> =>
    isVerified || cache.has(playbackId) ? cache.find(playbackId) : forStrangers(() => cache.find(playbackId));
  return {
    /**
     * The gate of a video and its age; no value for an unknown one.
     * @param isVerified whether a token vouches for the id: then catalog is asked without waiting for strangers' ids
     * @throws UNAVAILABLE when catalog is down and the cached gate is too old, or there is none
     */
    find: async (playbackId: string, isVerified: boolean): Promise<CachedAnswer<Gate>> => {
      try {
        return await find(playbackId, isVerified);
      } catch (cause) {
        throw new AppError('UNAVAILABLE', 'the gate of the video is unknown', { cause });
      }
    },
    drop: cache.drop,
  };
}
export type Gates = ReturnType<typeof openGates>;
