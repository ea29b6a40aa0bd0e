/**
 * Rows are the queue. A claim takes a lease and raises the row's fence; results count only under the fence that claimed
 * them, so a worker that lost its lease does no harm. Among ready jobs, the tenant with the fewest running ones goes
 * first, then the job with the least work left, then the oldest.
 */
import type { Pool } from '../database/database.ts';
import { AppError, messageOf } from '../errors.ts';
import { withLogFields, type Logger } from '../telemetry/log.ts';
import { inTrace } from '../telemetry/telemetry.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createNotifier } from './notifier.ts';
import { watchWork } from './work-metrics.ts';
import { performJob, type Queue, type Deps } from './run-job.ts';
import { claim, purgeStage } from './job-rows.ts';

export type WorkerOptions = {
  readonly pool: Pool;
  readonly queues: Readonly<Record<string, Queue>>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly leaseMs: number;
  /** At most half of the lease. */
  readonly renewMs: number;
  readonly pollMs?: number;
  /** Wait before try n + 1. */
  readonly retryDelaysMs?: readonly number[];
  /** Called after every transaction that ended a job, for example to notify the outbox relay. */
  readonly onJobEnded?: () => void;
};

/**
 * Starts the slots. `notify` makes them claim at once; `close` releases running jobs without counting a try.
 * @throws where a lease would not be renewed in time
 */
export function startWorkers(options: WorkerOptions) {
  if (2 * options.renewMs > options.leaseMs)
    throw new AppError('FAILED_PRECONDITION', 'WORK_RENEW must be at most half of WORK_LEASE');
  const stopping = new AbortController();
  const notifier = createNotifier(stopping.signal);
  const notify = (): void => Object.keys(options.queues).forEach(notifier.notify);
  const deps: Deps = {
    retryDelaysMs: [1_000, 5_000, 20_000, 60_000],
    ...options,
    // A job that has ended may have added others.
    onJobEnded: () => {
      options.onJobEnded?.();
      notify();
    },
    stopping: stopping.signal,
    running: new Map(),
  };
  const { tries, seconds } = watchWork(options.pool, options.metrics, deps.running, Object.keys(options.queues));
  const slot: SlotDeps = {
    ...deps,
    notifier,
    pollMs: options.pollMs ?? 2_000,
    tries,
    seconds,
    claims: { fail: false },
  };
  const slots = Object.entries(options.queues).flatMap(([name, queue]) =>
    Array.from({ length: queue.slots }, () => runSlot(slot, name, queue)),
  );

  return {
    /** Claims now instead of at the next poll. */
    notify,
    /** Aborts the jobs of a video in this process, except purges; cancel their rows first. */
    abortVideo: (videoId: string): void => {
      for (const { job, abort } of deps.running.values())
        if (job.videoId === videoId && job.stage !== purgeStage)
          abort.abort(new AppError('ABORTED', 'the work was cancelled'));
    },
    /** Whether this process runs no job, and would if it found any. */
    isIdle: (): boolean => deps.running.size === 0 && !slot.claims.fail,
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(slots);
    },
  };
}

type SlotDeps = Deps &
  ReturnType<typeof watchWork> & {
    readonly notifier: ReturnType<typeof createNotifier>;
    readonly pollMs: number;
    /** Whether the latest claim of the process failed. */
    readonly claims: { fail: boolean };
  };

/** One slot: claims and runs jobs, and waits for the notifier when none is ready. */
async function runSlot(deps: SlotDeps, name: string, queue: Queue): Promise<void> {
  const { pool, log, stopping, notifier } = deps;
  while (!stopping.aborted) {
    const before = notifier.count(name);
    const job = await claim(pool, name, deps.leaseMs).catch((error: unknown) => {
      log.warn({ reason: messageOf(error), queue: name }, 'cannot claim work');
      return 'failed' as const;
    });
    deps.claims.fail = job === 'failed';
    if (job === 'failed') {
      await notifier.wait(name, queue.pollMs ?? deps.pollMs);
      continue;
    }
    if (!job) {
      if (notifier.count(name) === before) await notifier.wait(name, queue.pollMs ?? deps.pollMs);
      continue;
    }
    notifier.notify(name); // There may be more ready jobs.
    const stopTimer = deps.seconds.startTimer({ queue: name });
    const outcome = await inTrace(
      job.traceparent,
      `work ${name}`,
      { 'vds.video_id': job.videoId, 'vds.job': job.name },
      () => withLogFields({ video_id: job.videoId, job: job.name }, () => performJob(deps, queue, job)),
    ).catch((error: unknown) => {
      log.error(
        { err: error, queue: name, job: job.name },
        'the end of a job could not be written; its lease will expire',
      );
      return 'unsettled';
    });
    stopTimer({ outcome });
    deps.tries.inc({ queue: name, outcome });
  }
}
