/** Runs one claimed job: its lease is renewed while the handler runs, and its outcome is written once. */
import type { Pool, PoolClient } from '../database/database.ts';
import { AppError, isPermanent, messageOf } from '../errors.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import type { Logger } from '../telemetry/log.ts';
import { pause } from '../process/async.ts';
import { finish, postpone, release, renew, scheduleRetry, type ClaimedJob } from './job-rows.ts';

/** A claimed job as its handler sees it. */
export type Job = ClaimedJob & {
  /** Aborts when the lease is lost, the job is cancelled or the process stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the job as done. `also` runs in the same transaction.
   * @throws AppError ABORTED when the fence is no longer ours; nothing is written then
   */
  readonly complete: (also?: (client: PoolClient) => Promise<void>) => Promise<void>;
  /** Reschedules the job without costing a try; otherwise as `complete`. */
  readonly postpone: (delayMs: number, also?: (client: PoolClient) => Promise<void>) => Promise<void>;
  /** Records the job's progress, 0 to 100, with the next renewal of the lease. */
  readonly progress: (percent: number) => void;
};

export type Queue = {
  /** Concurrent jobs in this process. */
  readonly slots: number;
  /** Runs the job and calls `job.complete`. Throwing a retryable error schedules another try. */
  readonly run: (job: Job) => Promise<void>;
  /** Runs in the transaction that marks the job as failed (permanent error, or no tries left). */
  readonly failed: (client: PoolClient, job: ClaimedJob, error: unknown) => Promise<void>;
  /** Whether another try is pointless, beyond errors that are permanent by their code. */
  readonly givesUp?: (error: unknown, job: ClaimedJob) => boolean;
  readonly maxTries?: number;
  /**
   * How often an idle slot of this queue polls; the worker's own interval by default. Many slots need not poll often.
   */
  readonly pollMs?: number;
};

/** Dependencies of every slot of a process. */
export type Deps = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly retryDelaysMs: readonly number[];
  readonly onJobEnded: () => void;
  /** Aborts when the process begins to stop. */
  readonly stopping: AbortSignal;
  /** Running jobs, by row id. */
  readonly running: Map<number, { readonly job: ClaimedJob; readonly abort: AbortController }>;
};

/** Runs one claimed job and returns its outcome: done, retried, failed, lost or released. */
export async function performJob(deps: Deps, queue: Queue, job: ClaimedJob): Promise<string> {
  if (deps.stopping.aborted) {
    await release(deps.pool, job); // Claimed just as the process began to stop.
    return 'released';
  }
  const abort = new AbortController();
  deps.running.set(job.id, { job, abort });
  const stop = (): void => abort.abort(new Error('the process stops'));
  deps.stopping.addEventListener('abort', stop, { once: true });
  let percent = 0;
  const lease = keepLease(deps, job, abort, () => percent);
  try {
    await runJob(deps, queue, job, abort.signal, (value) => void (percent = value));
    return 'done';
  } catch (error) {
    return await finishFailed(deps, queue, job, error);
  } finally {
    deps.stopping.removeEventListener('abort', stop);
    abort.abort();
    deps.running.delete(job.id);
    await lease;
  }
}

/** Renews until `abort`; aborts by itself when the lease is lost or the row was cancelled. */
async function keepLease(deps: Deps, job: ClaimedJob, abort: AbortController, percent: () => number): Promise<void> {
  const { pool, log, leaseMs, renewMs } = deps;
  let held = Date.now();
  while (!abort.signal.aborted) {
    await pause(renewMs, abort.signal);
    if (abort.signal.aborted) return;
    const kept = await renew(pool, job, leaseMs, percent()).catch((error: unknown) => {
      log.warn({ reason: messageOf(error) }, 'a lease could not be renewed');
      return Date.now() - held < leaseMs - renewMs;
    });
    if (kept) held = Date.now();
    else abort.abort(new AppError('ABORTED', 'the lease was lost or the job was cancelled'));
  }
}

async function runJob(
  { pool, onJobEnded }: Deps,
  queue: Queue,
  job: ClaimedJob,
  signal: AbortSignal,
  progress: Job['progress'],
): Promise<void> {
  await failpoint('work.job-claimed');
  if (job.tries > maxTriesOf(queue)) throw new AppError('INVALID_ARGUMENT', 'the job ended its worker again and again');
  await queue.run({
    ...job,
    signal,
    progress,
    complete: async (also) => {
      await finish(pool, job, undefined, also);
      await failpoint('work.job-finished');
      onJobEnded();
    },
    postpone: async (delayMs, also) => {
      await postpone(pool, job, delayMs, also);
      onJobEnded();
    },
  });
}

function maxTriesOf(queue: Queue): number {
  return queue.maxTries ?? 5;
}

async function finishFailed(deps: Deps, queue: Queue, job: ClaimedJob, error: unknown): Promise<string> {
  const { pool, log, retryDelaysMs } = deps;
  if (deps.stopping.aborted) {
    await release(pool, job);
    return 'released';
  }
  if (error instanceof AppError && error.code === 'ABORTED') return 'lost';
  const last = isPermanent(error) || job.tries >= maxTriesOf(queue) || queue.givesUp?.(error, job) === true;
  log.warn({ err: error, try: job.tries, last }, 'a job failed');
  if (!last) {
    const delayMs = retryDelaysMs[Math.min(job.tries, retryDelaysMs.length) - 1] ?? 1_000;
    await scheduleRetry(pool, job, delayMs, messageOf(error));
    return 'retried';
  }
  await finish(pool, job, messageOf(error), (client) => queue.failed(client, job, error));
  deps.onJobEnded();
  return 'failed';
}
