/**
 * Rows are the queue. A claim takes a lease and raises the row's fence; results count only under the fence that claimed
 * them, so a worker that lost its lease does no harm. The order of claims: claim.ts; what a failed try costs:
 * retry-decision.ts.
 */
import { hostname } from 'node:os';
import pLimit from 'p-limit';
import type { Pool } from '../database/database.ts';
import { AppError, messageOf } from '../errors.ts';
import { createBreaker } from '../breaker.ts';
import type { Health } from '../process/health.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { claim, type ClaimOptions } from './claim.ts';
import { purgeStage, type ClaimedJob } from './job-rows.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createOccupancy } from './occupancy.ts';
import { runPoller } from './poller.ts';
import type { Queue } from './queue.ts';
import { runClaimed, type Claimed, type Deps } from './run-job.ts';
import { halfEach, takenShares } from './shares.ts';
import { watchWork } from './work-metrics.ts';

export type WorkerOptions = {
  readonly pool: Pool;
  readonly queues: Readonly<Record<string, Queue>>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Readiness reports the queues whose circuit breaker is open. */
  readonly health?: Pick<Health, 'add'> | undefined;
  readonly leaseMs: number;
  /** At most half of the lease. */
  readonly renewMs: number;
  /** Between two looks of an idle process for jobs that nothing notifies it of; a second by default. */
  readonly pollMs?: number | undefined;
  /** Wait before try n + 1. */
  readonly retryDelaysMs?: readonly number[] | undefined;
  /** How long a job waits for a dependency before it fails; a day by default. */
  readonly dependencyLimitMs?: number | undefined;
  /** How long a job waits for a missing thing; ten minutes by default. */
  readonly missingLimitMs?: number | undefined;
  /** First pause of an open circuit breaker, which grows up to four times that; 5 s by default. */
  readonly breakerPauseMs?: number | undefined;
  /** Called after every transaction that ended a job, for example to notify the outbox relay. */
  readonly onJobEnded?: () => void;
};

const RETRY_DELAYS_MS = [1_000, 5_000, 20_000, 60_000];
/** Tenants whose turns are remembered. */
const MAX_TURNS = 100;

/**
 * Starts the slots. `notify` makes them claim at once; `close` releases running jobs at no cost.
 * @throws if a lease would not be renewed in time
 */
export function startWorkers(options: WorkerOptions) {
  const { pool, log, leaseMs, renewMs, pollMs = 1_000, breakerPauseMs = 5_000 } = options;
  if (2 * renewMs > leaseMs) throw new AppError('FAILED_PRECONDITION', 'renewMs must be at most half of leaseMs');
  const stopping = new AbortController();
  const notifier = createNotifier(stopping.signal);
  const notify = (): void => Object.keys(options.queues).forEach(notifier.notify);
  // Perhaps also just before this process started.
  let databaseAwayAt = performance.now();
  const deps: Deps = {
    pool,
    log,
    leaseMs,
    renewMs,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    dependencyLimitMs: options.dependencyLimitMs ?? 86_400_000,
    missingLimitMs: options.missingLimitMs ?? 600_000,
    // An ended job may have added others.
    onJobEnded: () => {
      options.onJobEnded?.();
      notify();
    },
    onDatabaseAway: () => void (databaseAwayAt = performance.now()),
    stopping: stopping.signal,
    occupancy: createOccupancy(),
    running: new Map(),
  };
  // A holder of a lease while the database was unavailable gets the time to release it.
  const mayTakeExpired = (): boolean => performance.now() - databaseAwayAt > renewMs;
  const open = Object.entries(options.queues).map(([name, queue]) =>
    openQueue({ ...deps, mayTakeExpired, firstPauseMs: breakerPauseMs }, name, queue),
  );
  const { tries, seconds } = watchWork(pool, options.metrics, deps.running, open);
  options.health?.add('work', async () => reportOpenBreakers(open));
  const slot: SlotDeps = { ...deps, notifier, tries, seconds };
  const poller = runPoller({ ...deps, notifier, pollMs });
  const slots = open.flatMap((queue) => Array.from({ length: queue.queue.slots }, () => runSlot(slot, queue)));

  return {
    /** Claims now instead of at the next poll. */
    notify,
    /** Aborts the jobs of a video in this process, except purges; cancel their rows first. */
    abortVideo: (videoId: string): void => {
      for (const { job, abort } of deps.running.values())
        if (job.videoId === videoId && job.stage !== purgeStage)
          abort.abort(new AppError('ABORTED', 'the work was cancelled'));
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all([...slots, poller]);
    },
  };
}

/** @throws while a circuit breaker is open */
function reportOpenBreakers(queues: readonly OpenQueue[]): void {
  const open = queues.filter(({ breaker }) => breaker.isOpen()).map(({ name }) => name);
  if (open.length > 0) throw new Error(`a dependency is unavailable: paused ${open.join(', ')}`);
}

type SlotDeps = Deps &
  Pick<ReturnType<typeof watchWork>, 'tries' | 'seconds'> & {
    readonly notifier: Notifier;
  };

/** One slot: claims and runs jobs, and waits for the notifier, which the poller calls too, when none is ready. */
async function runSlot(deps: SlotDeps, { name, queue, claimNext }: OpenQueue): Promise<void> {
  const { log, stopping, notifier } = deps;
  while (!stopping.aborted) {
    const before = notifier.count(name);
    const claimed = await claimNext().catch((error: unknown) => {
      log.warn({ reason: messageOf(error), queue: name }, 'claim failed');
      deps.onDatabaseAway();
      return 'failed' as const;
    });
    if (typeof claimed === 'object') {
      notifier.notify(name); // There may be more ready jobs.
      const stopTimer = deps.seconds.startTimer({ queue: name });
      const outcome = await runClaimed(deps, queue, claimed);
      stopTimer({ outcome });
      deps.tries.inc({ queue: name, outcome });
    } else if (typeof claimed === 'number') await notifier.wait(name, claimed);
    else if (claimed === 'failed' || notifier.count(name) === before) await notifier.wait(name);
  }
}

type QueueDeps = Pick<Deps, 'pool' | 'log' | 'leaseMs' | 'occupancy' | 'running' | 'stopping'> & {
  /** Whether jobs of others whose lease has expired may be claimed. */
  readonly mayTakeExpired: () => boolean;
  /** First pause of its circuit breaker. */
  readonly firstPauseMs: number;
};
export type OpenQueue = ReturnType<typeof openQueue>;

/** A queue of this process: its circuit breaker, and its claims, one at a time, so that each sees what the others hold. */
function openQueue(deps: QueueDeps, name: string, queue: Queue) {
  const { pool, log, occupancy, running, stopping } = deps;
  const breaker = createBreaker({
    firstPauseMs: deps.firstPauseMs,
    onChange: (isOpen) =>
      isOpen
        ? log.error({ queue: name }, 'dependency unavailable: queue paused')
        : log.info({ queue: name }, 'queue resumed'),
  });
  const inTurn = pLimit(1);
  let served: readonly string[] = [];

  const claimNow = async (isProbe: boolean): Promise<Claimed | undefined> => {
    const release = await occupancy.acquireShared();
    let job: ClaimedJob | undefined;
    try {
      if (stopping.aborted) return undefined;
      const options = claimOptions(deps, name, queue, served);
      // What blocks some jobs may concern only them: probing with them alone would pause the others forever.
      if (isProbe) job = await claim(pool, name, { ...options, unblocked: true });
      job ??= await claim(pool, name, options);
    } finally {
      if (!job) release();
    }
    if (!job) return undefined;
    const { tenant } = job;
    served = [...served.filter((one) => one !== tenant), tenant].slice(-MAX_TURNS);
    const abort = new AbortController();
    running.set(job.id, { job, abort });
    return { job, claimedAt: performance.now(), release, abort, breaker, isProbe, isEnded: false };
  };

  return {
    queue,
    name,
    breaker,
    /**
     * Claims the next job. Returns undefined when there is none, and for how many milliseconds to wait while the breaker
     * is open.
     */
    claimNext: (): Promise<Claimed | number | undefined> =>
      inTurn(async () => {
        const admitted = breaker.admit();
        if (typeof admitted === 'number') return admitted;
        const isProbe = admitted === 'probe';
        let next: Claimed | undefined;
        try {
          return (next = await claimNow(isProbe));
        } finally {
          if (isProbe && !next) breaker.probeEnded();
        }
      }),
  };
}

function claimOptions(
  { running, leaseMs, mayTakeExpired }: QueueDeps,
  name: string,
  { slots, shares = halfEach }: Queue,
  served: readonly string[],
): ClaimOptions {
  const holders = [...running.values()].map(({ job }) => job).filter((held) => held.queue === name);
  return {
    ...takenShares(holders, slots, shares),
    leaseMs,
    claimant: `${hostname()}/${process.pid}`,
    idle: running.size === 0,
    quarantineWaitMs: leaseMs,
    expired: mayTakeExpired(),
    held: [...running.keys()],
    served,
  };
}
