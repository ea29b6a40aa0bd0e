/**
 * Periodic tasks: `sweep-index` creates a missing index and writes missing documents; `collect-garbage` removes expired
 * data, and resumes or starts a reindex.
 */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { pause } from '@vds/chassis/process/async';

type Deps = {
  /** Creates what is missing; true if anything was. */
  readonly ensure: () => Promise<boolean>;
  /** Writes missing documents; returns how many. */
  readonly sweep: (signal: AbortSignal) => Promise<number>;
  /** Whether the served index has an older mapping than this program's. */
  readonly isBehind: () => Promise<boolean>;
  readonly startReindex: () => Promise<unknown>;
  readonly resumeReindex: () => Promise<void>;
  readonly collectGarbage: () => Promise<void>;
  readonly sweepEveryMs: number;
  readonly reindexOnBoot: boolean;
  readonly metrics: Metrics;
  readonly log: Logger;
};

const hourMs = 3_600_000;
const retryMs = 1_000;

/** Starts the tasks. `ready` succeeds once an index has been found or created. */
export function startScheduler(deps: Deps) {
  const { sweepEveryMs, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const start = async (task: string, work: () => Promise<void>): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await work();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1 || failures % 60 === 0)
          log.warn({ reason: messageOf(error), task, failures }, 'periodic task failed');
      }
      await pause(failures > 0 ? Math.min(retryMs, sweepEveryMs) : sweepEveryMs, signal);
    }
  };

  let hasIndex = false;
  const sweepIndex = async (): Promise<void> => {
    if (await deps.ensure()) log.info('index or alias created');
    hasIndex = true;
    const written = await deps.sweep(signal);
    if (written > 0) log.info({ written }, 'index reconciled');
  };
  const checkMapping = createMappingCheck(deps);
  let garbageDueAt = 0;
  const maintain = async (): Promise<void> => {
    if (!hasIndex) return;
    await checkMapping();
    await deps.resumeReindex();
    if (Date.now() < garbageDueAt) return;
    await deps.collectGarbage();
    garbageDueAt = Date.now() + Math.min(hourMs, 6 * sweepEveryMs);
  };
  const tasks = [start('sweep-index', sweepIndex), start('collect-garbage', maintain)];
  return {
    ready: async (): Promise<void> => {
      if (!hasIndex) throw new AppError('UNAVAILABLE', 'no index has been found or created yet');
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(tasks);
    },
  };
}

/** Reports once that a reindex is due, and starts it where that is configured. */
function createMappingCheck({ isBehind, startReindex, reindexOnBoot, metrics, log }: Deps) {
  const due = metrics.gauge('vds_indexer_reindex_due', '1 while the served index has an older mapping');
  let reported = false;
  return async (): Promise<void> => {
    const behind = await isBehind();
    due.set(behind ? 1 : 0);
    if (!behind || reported) return;
    log.warn('reindex due: the served index has an older mapping');
    if (reindexOnBoot) await startReindex();
    reported = true;
  };
}
