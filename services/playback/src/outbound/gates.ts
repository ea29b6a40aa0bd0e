/**
 * What catalog says of each playback id, kept for a short while: one question at a time for each, the last word while
 * catalog is away, and dropped as soon as catalog says that the video has changed.
 */
import { AppError, messageOf } from '@vds/shared/errors';
import type { Logger } from '@vds/shared/log';
import type { Metrics } from '@vds/shared/metrics';
import type { Gate } from '../domain/gate.ts';
import { gateMemory, type Word } from './gate-memory.ts';

export type GatesOptions = {
  readonly resolve: (playbackId: string) => Promise<Gate | undefined>;
  /** How long a word holds, and how long while catalog is away. */
  readonly freshMs: number;
  readonly staleMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** About 7 KB each, with all tracks. */
const REMEMBERED = 20_000;
/** An id that nobody knows may become known at any moment. */
const ABSENT_MS = 1_000;
/** After a failed question the last word is given without asking again for that long. */
const QUIET_MS = 1_000;
const ASK_AGAIN = 2;

/** Asks one question a playback id at a time; who comes while it runs gets the same answer. */
const singly = (question: (playbackId: string) => Promise<Word>) => {
  const running = new Map<string, Promise<Word>>();
  return (playbackId: string): Promise<Word> => {
    const before = running.get(playbackId);
    if (before) return before;
    const asked = question(playbackId).finally(() => running.delete(playbackId));
    running.set(playbackId, asked);
    return asked;
  };
};

export const openGates = ({ resolve, freshMs, staleMs, log, metrics }: GatesOptions) => {
  const memory = gateMemory(REMEMBERED);
  let quietUntil = 0;
  const reads = metrics.counter('vds_playback_gate_reads_total', 'Looks at a gate, by who answered', ['outcome']);
  const answer = (outcome: string, gate: Gate | undefined): Gate | undefined => {
    reads.inc({ outcome });
    return gate;
  };

  const ask = singly(async (playbackId) => {
    const since = performance.now();
    const word = { gate: await resolve(playbackId), since };
    memory.keep(playbackId, word);
    return word;
  });
  /** An answer that was on its way while the video changed is asked for again. */
  const askAnew = async (playbackId: string, again: number): Promise<Gate | undefined> => {
    const { gate } = await ask(playbackId);
    return gate && memory.isOutdated(gate) && again > 0 ? askAnew(playbackId, again - 1) : gate;
  };
  const within = (playbackId: string, ms: number): Gate | undefined => {
    const word = memory.last(playbackId);
    return word && performance.now() - word.since < ms ? word.gate : undefined;
  };

  return {
    /**
     * The gate of a playback id; undefined where there is none.
     * @throws UNAVAILABLE when catalog is away and its last word is too old, or none
     */
    find: async (playbackId: string): Promise<Gate | undefined> => {
      const word = memory.last(playbackId);
      const holds = word?.gate ? freshMs : Math.min(ABSENT_MS, freshMs);
      if (word && performance.now() - word.since < holds) return answer('remembered', word.gate);
      const meanwhile = performance.now() < quietUntil ? within(playbackId, staleMs) : undefined;
      if (meanwhile) return answer('stale', meanwhile);
      try {
        return answer('asked', await askAnew(playbackId, ASK_AGAIN));
      } catch (cause) {
        const last = within(playbackId, staleMs);
        answer(last ? 'stale' : 'failed', last);
        if (!last) throw new AppError('UNAVAILABLE', 'the state of the video is not known', { cause });
        log.warn({ reason: messageOf(cause) }, 'catalog is away; viewers are let in on its last word');
        quietUntil = performance.now() + QUIET_MS;
        return last;
      }
    },
    drop: memory.drop,
  };
};
export type Gates = ReturnType<typeof openGates>;
