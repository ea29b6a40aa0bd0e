/**
 * Periodic tasks: `sweep-index` creates a missing index and writes missing documents; `collect-garbage` removes expired
 * data, and resumes or starts a reindex.
 */
import { AppError, messageOf } from '@vds/chassis/errors';
import { startPeriodic } from '@vds/chassis/process/periodic';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';

type Deps = {
  /** Creates what is missing; true if anything was. */
  readonly ensure: () => Promise<boolean>;
  /** Gives the indexes that exist their number of copies. */
  readonly applyReplicas: () => Promise<unknown>;
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

const HOUR_MS = 3_600_000;
const RETRY_MS = 1_000;

/** Starts the tasks. `ready` succeeds once an index has been found or created. */
export function startScheduler(deps: Deps) {
  const { sweepEveryMs: everyMs, log, metrics } = deps;
  let hasIndex = false;
  const applyReplicas = onceItSucceeds(deps);
  const sweepIndex = async (signal: AbortSignal): Promise<void> => {
    if (await deps.ensure()) log.info('index or alias created');
    hasIndex = true;
    await applyReplicas();
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
    garbageDueAt = Date.now() + Math.min(HOUR_MS, 6 * everyMs);
  };
  const tasks = { 'sweep-index': sweepIndex, 'collect-garbage': maintain };
  const { close } = startPeriodic({ log, metrics, everyMs, retryMs: Math.min(RETRY_MS, everyMs), tasks });
  return {
    ready: async (): Promise<void> => {
      if (!hasIndex) throw new AppError('UNAVAILABLE', 'no index has been found or created yet');
    },
    close,
  };
}

/** Until it succeeds; a refusal is logged, and delays nothing else. */
function onceItSucceeds({ applyReplicas, log }: Deps) {
  let isDone = false;
  let lastReason = '';
  return async (): Promise<void> => {
    if (isDone) return;
    try {
      await applyReplicas();
      isDone = true;
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== lastReason) log.warn({ reason }, 'number of index copies not set');
      lastReason = reason;
    }
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
