/** The gates of playback ids, resolved by catalog and cached for a short time (`cache/stale-cache`). */
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
  return {
    /**
     * The gate of a playback id and its age; no value for an unknown one.
     * @throws UNAVAILABLE when catalog is down and the cached gate is too old, or there is none
     */
    find: async (playbackId: string): Promise<CachedAnswer<Gate>> => {
      try {
        return await cache.find(playbackId);
      } catch (cause) {
        throw new AppError('UNAVAILABLE', 'the gate of the video is unknown', { cause });
      }
    },
    drop: cache.drop,
  };
}
export type Gates = ReturnType<typeof openGates>;
