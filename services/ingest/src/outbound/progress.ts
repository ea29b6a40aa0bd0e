/** Says how far a fetch is, as seldom as the house wants to hear it. */
import type { Executor } from '@vds/shared/database';
import { messageOf } from '@vds/shared/errors';
import type { Logger } from '@vds/shared/log';
import type { Held } from './claimed-fetch.ts';
import { sayProgressed } from './fetch-facts.ts';

export type ProgressOptions = {
  readonly pool: Executor;
  readonly log: Logger;
  /** Least time between two words, in milliseconds. */
  readonly everyMs: number;
  /** Told of every percent that is said. */
  readonly onPercent: (percent: number) => void;
};

/** Returns a function that is told the bytes so far and the size; without a size nothing is known and nothing is said. */
export const createProgress = ({ pool, log, everyMs, onPercent }: ProgressOptions, fetch: Held) => {
  let saidAt = performance.now();
  let said = 0;
  return (bytes: number, total: number | undefined): void => {
    const now = performance.now();
    if (!total || now - saidAt < everyMs) return;
    const percent = Math.min(99, Math.floor((100 * bytes) / total));
    if (percent === said) return;
    saidAt = now;
    said = percent;
    onPercent(percent);
    const { videoId, attempt, fence } = fetch;
    sayProgressed(pool, { videoId, attempt }, fence, percent).catch((error: unknown) => {
      log.info({ reason: messageOf(error) }, 'progress could not be said');
    });
  };
};
