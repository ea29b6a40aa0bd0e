/** Says how far a fetch is, as seldom as the house wants to hear it. */
import type { Executor } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Held } from './claimed-fetch.ts';
import { publishProgressed } from './publisher.ts';

export type ProgressOptions = {
  readonly pool: Executor;
  readonly log: Logger;
  /** Least time between two words, in milliseconds. */
  readonly everyMs: number;
  /** Told of every percent that is said. */
  readonly onPercent: (percent: number) => void;
};

export type Progress = {
  /** Told the bytes so far and the size; without a size nothing is known and nothing is said. */
  readonly report: (bytes: number, total: number | undefined) => void;
  /** Waits until what was said is written: the last word on a fetch must come after it. */
  readonly settled: () => Promise<void>;
};

export function createProgress({ pool, log, everyMs, onPercent }: ProgressOptions, fetch: Held): Progress {
  let saidAt = performance.now();
  let said = 0;
  let saying = Promise.resolve();
  const say = async (percent: number): Promise<void> => {
    const { videoId, attempt, fence } = fetch;
    try {
      await publishProgressed(pool, { videoId, attempt }, fence, percent);
    } catch (error) {
      log.info({ reason: messageOf(error) }, 'progress could not be said');
    }
  };
  return {
    report: (bytes, total) => {
      const now = performance.now();
      if (!total || now - saidAt < everyMs) return;
      const percent = Math.min(99, Math.floor((100 * bytes) / total));
      if (percent === said) return;
      saidAt = now;
      said = percent;
      onPercent(percent);
      saying = saying.then(() => say(percent));
    },
    settled: () => saying,
  };
}
