/**
 * Rows are the queue. A claim takes a lease and raises the row's fence; results count only under the fence that claimed
 * them, so a worker that was thought dead can do no harm. Among what is ready, the tenant with the fewest running units
 * goes first, then the least work, then the oldest.
 */
import type { Pool, PoolClient } from './database.ts';
import { AppError, isPermanent, messageOf } from './errors.ts';
import { withLogFacts, type Logger } from './log.ts';
import { inTrace } from './telemetry.ts';
import type { Metrics } from './metrics.ts';
import { pause } from './pause.ts';
import { createBell } from './work-bell.ts';
import { claim, failedTries, giveBack, renew, settle, type Claimed } from './work-rows.ts';
import { watchWork } from './work-metrics.ts';

export { cancelGroup, enqueue, type Claimed, type NewWork } from './work-rows.ts';

/** A claimed unit in the hands of its handler. */
export type Job = Claimed & {
  /** Aborts when the lease is lost, the unit is cancelled or the process stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the unit as done. `also` runs in the same transaction, before the row is marked.
   * @throws AppError ABORTED when the fence is no longer ours; nothing is then written
   */
  readonly complete: (also?: (client: PoolClient) => Promise<void>, result?: unknown) => Promise<void>;
  /** Notes how far the unit is, 0 to 100, with the next renewal of the lease. */
  readonly progress: (percent: number) => void;
};

export type Queue = {
  /** Units at a time in this process. */
  readonly slots: number;
  /** Does the unit and calls `job.complete`. Throwing a retryable error asks for another try. */
  readonly run: (job: Job) => Promise<void>;
  /** The unit has failed for good (permanent error, or tries spent): say so, in the transaction that marks the row. */
  readonly failed: (client: PoolClient, job: Claimed, error: unknown) => Promise<void>;
  readonly maxTries?: number;
  /** How often an idle slot of this queue looks by itself; the worker's own unless given. Many slots need not look often. */
  readonly pollMs?: number;
};

export type WorkerOptions = {
  readonly pool: Pool;
  readonly queues: Readonly<Record<string, Queue>>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly leaseMs?: number;
  readonly renewMs?: number;
  readonly pollMs?: number;
  /** Wait before try n + 1. */
  readonly retryDelaysMs?: readonly number[];
  /** Called after every transaction that ended a unit, for example to wake the outbox relay. */
  readonly afterSettle?: () => void;
};

class Stopping extends Error {}

/** Starts the slots. `ring` makes them look at once; `close` gives running units back at no cost of a try. */
export const startWorkers = (options: WorkerOptions) => {
  const {
    pool,
    log,
    leaseMs = 60_000,
    renewMs = 20_000,
    pollMs = 2_000,
    retryDelaysMs = [1_000, 5_000, 20_000, 60_000],
  } = options;
  const stopping = new AbortController();
  const running = new Map<number, { groupKey: string; abort: AbortController }>();
  const bell = createBell(stopping.signal);
  const tracked = watchWork(pool, options.metrics, running);

  const keepLease = async (job: Claimed, abort: AbortController, percent: () => number): Promise<void> => {
    let held = Date.now();
    while (!abort.signal.aborted) {
      await pause(renewMs, abort.signal);
      if (abort.signal.aborted) return;
      const kept = await renew(pool, job, leaseMs, percent()).catch((error: unknown) => {
        log.warn({ reason: messageOf(error) }, 'a lease could not be renewed');
        return Date.now() - held < leaseMs - renewMs;
      });
      if (kept) held = Date.now();
      else abort.abort(new AppError('ABORTED', 'the lease was lost or the unit was cancelled'));
    }
  };

  const settleFailure = async (queue: Queue, job: Claimed, error: unknown): Promise<string> => {
    if (stopping.signal.aborted) {
      await giveBack(pool, job);
      return 'given_back';
    }
    if (error instanceof AppError && error.code === 'ABORTED') return 'lost';
    const last = isPermanent(error) || job.tries >= (queue.maxTries ?? 5);
    log.warn({ err: error, try: job.tries, last }, 'a unit of work failed');
    if (!last) {
      await failedTries(
        pool,
        job,
        retryDelaysMs[Math.min(job.tries, retryDelaysMs.length) - 1] ?? 1_000,
        messageOf(error),
      );
      return 'retried';
    }
    await settle(pool, job, 'failed', { error: messageOf(error) }, (client) => queue.failed(client, job, error));
    options.afterSettle?.();
    return 'failed';
  };

  const perform = async (queue: Queue, job: Claimed): Promise<string> => {
    if (stopping.signal.aborted) {
      await giveBack(pool, job); // Claimed in the very moment in which the process was told to stop.
      return 'given_back';
    }
    const abort = new AbortController();
    running.set(job.id, { groupKey: job.groupKey, abort });
    const stop = (): void => abort.abort(new Stopping('the process stops'));
    stopping.signal.addEventListener('abort', stop, { once: true });
    let percent = 0;
    const lease = keepLease(job, abort, () => percent);
    try {
      if (job.tries > (queue.maxTries ?? 5))
        throw new AppError('INVALID_ARGUMENT', 'the unit ended its worker again and again');
      await queue.run({
        ...job,
        signal: abort.signal,
        progress: (value) => void (percent = value),
        complete: async (also, result) => {
          await settle(pool, job, 'done', { result }, also);
          options.afterSettle?.();
        },
      });
      return 'done';
    } catch (error) {
      return await settleFailure(queue, job, error);
    } finally {
      stopping.signal.removeEventListener('abort', stop);
      abort.abort();
      running.delete(job.id);
      await lease;
    }
  };

  const slot = async (name: string, queue: Queue): Promise<void> => {
    while (!stopping.signal.aborted) {
      const rings = bell.rings(name);
      const job = await claim(pool, name, leaseMs).catch((error: unknown) => {
        log.warn({ reason: messageOf(error), queue: name }, 'cannot claim work');
        return undefined;
      });
      if (!job) {
        if (bell.rings(name) === rings) await bell.wait(name, queue.pollMs ?? pollMs);
        continue;
      }
      bell.ring(name); // Where there was one there may be more.
      const stopTimer = tracked.seconds.startTimer({ queue: name });
      const outcome = await inTrace(job.traceparent, `work ${name}`, { 'vds.unit': job.unit }, () =>
        withLogFacts({ group: job.groupKey, unit: job.unit }, () => perform(queue, job)),
      ).catch((error: unknown) => {
        log.error({ err: error, queue: name, unit: job.unit }, 'a unit could not be settled; its lease will run out');
        return 'unsettled';
      });
      stopTimer({ outcome });
      tracked.tries.inc({ queue: name, outcome });
    }
  };
  const slots = Object.entries(options.queues).flatMap(([name, queue]) =>
    Array.from({ length: queue.slots }, () => slot(name, queue)),
  );

  return {
    /** Looks for work now instead of at the next poll. */
    ring: (): void => Object.keys(options.queues).forEach(bell.ring),
    /** Aborts what this process runs of a group; cancel its rows first. */
    abortGroup: (groupKey: string): void => {
      for (const entry of running.values())
        if (entry.groupKey === groupKey) entry.abort.abort(new AppError('ABORTED', 'the work was cancelled'));
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(slots);
    },
  };
};
export type Workers = ReturnType<typeof startWorkers>;
