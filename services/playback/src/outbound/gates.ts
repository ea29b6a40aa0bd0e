/** What catalog says of each playback id, kept for a short while (`cache/stale-cache`). */
import { openStaleCache, type CachedAnswer } from '@vds/chassis/cache/stale-cache';
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Gate } from '../domain/gate.ts';

export type GatesOptions = {
  readonly resolve: (playbackId: string) => Promise<CachedAnswer<Gate>>;
  /** How long a word holds, and how long while catalog is away. */
  readonly freshMs: number;
  readonly staleMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** About 7 KB each, with all tracks. */
const REMEMBERED = 20_000;
const PATIENCE_MS = 1_000;

export function openGates({ resolve, freshMs, staleMs, log, metrics }: GatesOptions) {
  const reads = metrics.counter('vds_playback_gate_reads_total', 'Looks at a gate, by who answered', ['outcome']);
  const memory = openStaleCache<Gate>({
    load: resolve,
    versionOf: ({ videoId: id, version }) => ({ id, version }),
    maxEntries: REMEMBERED,
    freshMs,
    staleMs,
    loadTimeoutMs: PATIENCE_MS,
    onLookup: (outcome) => reads.inc({ outcome }),
    onStale: (cause) => log.warn({ reason: messageOf(cause) }, 'catalog is away; viewers are let in on its last word'),
  });
  return {
    /**
     * The gate of a playback id; undefined where there is none.
     * @throws UNAVAILABLE when catalog is away and its last word is too old, or none
     */
    find: async (playbackId: string): Promise<Gate | undefined> => {
      try {
        return (await memory.find(playbackId)).value;
      } catch (cause) {
        throw new AppError('UNAVAILABLE', 'the state of the video is not known', { cause });
      }
    },
    drop: memory.drop,
  };
}
export type Gates = ReturnType<typeof openGates>;
