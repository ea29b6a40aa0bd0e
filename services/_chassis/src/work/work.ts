/**
 * Rows are the queue. A claim takes a lease and raises the row's fence; results count only under the fence that claimed
 * them, so a worker that lost its lease does no harm. The order of claims: claim.ts; what a failed try costs:
 * accounting.ts.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from '../database/database.ts';
import { AppError, messageOf } from '../errors.ts';
import type { Health } from '../process/health.ts';
import { withLogFields, type Logger } from '../telemetry/log.ts';
import { inTrace } from '../telemetry/telemetry.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createNotifier } from './notifier.ts';
import { createOccupancy } from './occupancy.ts';
import { openQueue, type OpenQueue } from './open-queue.ts';
import { watchWork } from './work-metrics.ts';
import { performJob, type Claimed, type Deps, type Queue } from './run-job.ts';
import { purgeStage } from './job-rows.ts';

export type WorkerOptions = {
  readonly pool: Pool;
  readonly queues: Readonly<Record<string, Queue>>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Readiness reports the queues whose circuit breaker is open. */
  readonly health?: Pick<Health, 'add'>;
  readonly leaseMs: number;
  /** At most half of the lease. */
  readonly renewMs: number;
  readonly pollMs?: number;
  /** Wait before try n + 1. */
  readonly retryDelaysMs?: readonly number[];
  /** How long a job waits for a dependency before it fails; a day by default. */
  readonly dependencyLimitMs?: number;
  /** How long a job waits for a thing that does not exist; ten minutes by default. */
  readonly missingLimitMs?: number;
  /** First pause of an open circuit breaker, which grows up to its fourfold; 5 s by default. */
  readonly breakerPauseMs?: number;
  /** Called after every transaction that ended a job, for example to notify the outbox relay. */
  readonly onJobEnded?: () => void;
};

/**
 * Starts the slots. `notify` makes them claim at once; `close` releases running jobs at no cost.
 * @throws where a lease would not be renewed in time
 */
export function startWorkers(options: WorkerOptions) {
  if (2 * options.renewMs > options.leaseMs)
    throw new AppError('FAILED_PRECONDITION', 'WORK_RENEW must be at most half of WORK_LEASE');
  const stopping = new AbortController();
  const notifier = createNotifier(stopping.signal);
  const notify = (): void => Object.keys(options.queues).forEach(notifier.notify);
  // Perhaps also just before this process began.
  let databaseAwayAt = performance.now();
  const deps: Deps = {
    ...{ retryDelaysMs: [1_000, 5_000, 20_000, 60_000], dependencyLimitMs: 86_400_000, missingLimitMs: 600_000 },
    ...options,
    // A job that has ended may have added others.
    onJobEnded: () => {
      options.onJobEnded?.();
      notify();
    },
    onDatabaseAway: () => void (databaseAwayAt = performance.now()),
    stopping: stopping.signal,
    occupancy: createOccupancy(),
    running: new Map(),
  };
  // Whoever held a lease while the database was away gets the time to release it.
  const mayTakeExpired = (): boolean => performance.now() - databaseAwayAt > options.renewMs;
  const claimant = `${hostname()}/${process.pid}/${randomUUID()}`;
  const open = Object.entries(options.queues).map(([name, queue]) =>
    openQueue({ ...deps, claimant, mayTakeExpired, firstPauseMs: options.breakerPauseMs ?? 5_000 }, name, queue),
  );
  const { tries, seconds } = watchWork(options.pool, options.metrics, deps.running, open);
  options.health?.add('work', async () => reportOpenBreakers(open));
  const slot: SlotDeps = {
    ...deps,
    notifier,
    pollMs: options.pollMs ?? 2_000,
    tries,
    seconds,
    claims: { fail: false },
  };
  const slots = open.flatMap((queue) => Array.from({ length: queue.slots }, () => runSlot(slot, queue)));

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
    /** Whether it claims no jobs of the queue for now, as a dependency of theirs is away. */
    isPaused: (queue: string): boolean => open.find(({ name }) => name === queue)?.breaker.isOpen() ?? false,
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(slots);
    },
  };
}

/** @throws while a circuit breaker is open */
function reportOpenBreakers(queues: readonly OpenQueue[]): void {
  const open = queues.filter(({ breaker }) => breaker.isOpen()).map(({ name }) => name);
  if (open.length > 0) throw new Error(`a dependency is away: paused ${open.join(', ')}`);
}

type SlotDeps = Deps &
  Pick<ReturnType<typeof watchWork>, 'tries' | 'seconds'> & {
    readonly notifier: ReturnType<typeof createNotifier>;
    readonly pollMs: number;
    /** Whether the latest claim of the process failed. */
    readonly claims: { fail: boolean };
  };

/** One slot: claims and runs jobs, and waits for the notifier when none is ready. */
async function runSlot(deps: SlotDeps, queue: OpenQueue): Promise<void> {
  const { stopping, notifier } = deps;
  const { name } = queue;
  while (!stopping.aborted) {
    const before = notifier.count(name);
    const claimed = await queue.claimNext().catch((error: unknown) => {
      deps.log.warn({ reason: messageOf(error), queue: name }, 'cannot claim work');
      deps.onDatabaseAway();
      return 'failed' as const;
    });
    deps.claims.fail = claimed === 'failed';
    if (typeof claimed === 'object') {
      notifier.notify(name); // There may be more ready jobs.
      await runClaimed(deps, queue, claimed);
    } else if (typeof claimed === 'number') await notifier.wait(name, Math.min(claimed, deps.pollMs));
    else if (claimed === 'failed' || notifier.count(name) === before)
      await notifier.wait(name, queue.pollMs ?? deps.pollMs);
  }
}

async function runClaimed(deps: SlotDeps, { name, ...queue }: OpenQueue, claimed: Claimed): Promise<void> {
  const { job } = claimed;
  const stopTimer = deps.seconds.startTimer({ queue: name });
  const outcome = await inTrace(
    job.traceparent,
    `work ${name}`,
    { 'vds.video_id': job.videoId, 'vds.job': job.name },
    () => withLogFields({ video_id: job.videoId, job: job.name }, () => performJob(deps, queue, claimed)),
  ).catch((error: unknown) => {
    deps.log.error(
      { err: error, queue: name, job: job.name },
      'the end of a job could not be written; its lease will expire',
    );
    return 'unsettled';
  });
  if (claimed.isProbe) claimed.breaker.probeEnded();
  stopTimer({ outcome });
  deps.tries.inc({ queue: name, outcome });
}
