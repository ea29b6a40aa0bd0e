/** The clock as a door: what time alone changes, and what has had no answer and is said again. */
import { messageOf } from '@vds/chassis/errors';
import { withLogFacts, type Logger } from '@vds/chassis/telemetry/log';
import { pause } from '@vds/chassis/process/async';
import { decideTime } from '../domain/stage-events.ts';
import type { VideoStore } from '../outbound/video-store.ts';

type Deps = {
  /** False when another replica has just taken this turn. */
  readonly tryAcquire: (name: string, gapMs: number) => Promise<boolean>;
  readonly dueVideos: () => Promise<readonly string[]>;
  readonly change: VideoStore['change'];
  /** Says again at most so many messages; answers how many were due. */
  readonly sayAgain: (most: number) => Promise<number>;
};

/**
 * Starts the rounds. Every replica's clock ticks; whoever takes a turn first does that round for all. A turn is free
 * again a little before the next tick, so that a replica alone never waits for itself.
 * @param remindRate messages said again in a second, over all replicas
 */
export function startScheduler(
  given: Deps,
  { tickMs, remindRate }: { readonly tickMs: number; readonly remindRate: number },
  log: Logger,
) {
  const gapMs = 0.9 * tickMs;
  const most = Math.max(1, Math.floor((remindRate * gapMs) / 1_000));
  const stopping = new AbortController();
  const round = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        if (await given.tryAcquire(name, gapMs)) await work();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1 || failures % 30 === 0)
          log.warn({ reason: messageOf(error), round: name, failures }, 'a round of the clock failed');
      }
      await pause(tickMs, stopping.signal);
    }
  };
  const rounds = [round('look', () => look(given, log)), round('remind', () => given.sayAgain(most))];
  return {
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(rounds);
    },
  };
}

/** Decides on every video whose time has come; one that fails does not keep the others from theirs. */
async function look({ dueVideos, change }: Deps, log: Logger): Promise<void> {
  for (const id of await dueVideos()) {
    await withLogFacts({ video_id: id }, () => change(id, decideTime, { actor: 'catalog', action: 'clock' })).catch(
      (error: unknown) => log.error({ err: error, video_id: id }, 'a video whose time has come could not be changed'),
    );
  }
}
