/** The clock as a door: the index is made, compared with catalog's list, kept tidy; a reindex that stands still goes on. */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { pause } from '@vds/chassis/process/async';

type Deps = {
  /** Makes what is missing; true when something was. */
  readonly ensure: () => Promise<boolean>;
  /** Writes what the index lacks; returns how many videos that were. */
  readonly sweep: (signal: AbortSignal) => Promise<number>;
  /** Whether the served index is of an older mapping than this program's. */
  readonly isBehind: () => Promise<boolean>;
  readonly begin: () => Promise<unknown>;
  readonly resume: () => Promise<void>;
  readonly tidy: () => Promise<void>;
};
type Setting = {
  readonly sweepEveryMs: number;
  readonly reindexOnBoot: boolean;
  readonly metrics: Metrics;
  readonly log: Logger;
};

const hourMs = 3_600_000;
const retryMs = 1_000;

/** Starts the rounds. `ready` passes from the first moment on in which there was an index. */
export function startScheduler(given: Deps, setting: Setting) {
  const { sweepEveryMs, log } = setting;
  const stopping = new AbortController();
  const { signal } = stopping;
  const round = async (name: string, work: () => Promise<void>): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await work();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1 || failures % 60 === 0)
          log.warn({ reason: messageOf(error), round: name, failures }, 'a round failed; it comes again');
      }
      await pause(failures > 0 ? Math.min(retryMs, sweepEveryMs) : sweepEveryMs, signal);
    }
  };

  let seen = false;
  const look = async (): Promise<void> => {
    if (await given.ensure()) log.info('made an index or its alias');
    seen = true;
    const written = await given.sweep(signal);
    if (written > 0) log.info({ written }, 'wrote what the index lacked');
  };
  const mapping = openMappingLook(given, setting);
  let tidyAt = 0;
  const tidy = async (): Promise<void> => {
    if (!seen) return;
    await mapping();
    await given.resume();
    if (Date.now() < tidyAt) return;
    await given.tidy();
    tidyAt = Date.now() + Math.min(hourMs, 6 * sweepEveryMs);
  };
  const running = [round('look', look), round('tidy', tidy)];
  return {
    /** For readiness. */
    ready: async (): Promise<void> => {
      if (!seen) throw new AppError('UNAVAILABLE', 'no index has been found or made yet');
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Says once that a reindex is due, and begins it where that is wanted. */
function openMappingLook(given: Deps, { reindexOnBoot, metrics, log }: Setting) {
  const due = metrics.gauge('vds_indexer_reindex_due', '1 while the served index is of an older mapping');
  let told = false;
  return async (): Promise<void> => {
    const behind = await given.isBehind();
    due.set(behind ? 1 : 0);
    if (!behind || told) return;
    log.warn('the served index is of an older mapping: a reindex is due');
    if (reindexOnBoot) await given.begin();
    told = true;
  };
}
