/** Runs one claimed job: its lease is renewed while the handler runs, and its outcome is written once. */
import type { Pool, PoolClient } from '../database/database.ts';
import { AppError, classify, messageOf } from '../errors.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import type { Logger } from '../telemetry/log.ts';
import { pause } from '../process/async.ts';
import { withSignal } from '../process/current-signal.ts';
import { crashLimitReached, decideRetry, needsQuarantine, type FailedTry, type RetryLimits } from './accounting.ts';
import type { Breaker } from '../process/breaker.ts';
import { finish, postpone, release, renew, scheduleRetry, setQuarantined, type ClaimedJob } from './job-rows.ts';
import type { Leave, Occupancy } from './occupancy.ts';
import type { Shares } from './shares.ts';

/** A claimed job as its handler sees it. */
export type Job = ClaimedJob & {
  /** Aborts when the lease is lost, the job is cancelled or the process stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the job as done. `also` runs in the same transaction.
   * @throws AppError ABORTED when the fence is no longer ours; nothing is written then
   */
  readonly complete: (also?: (client: PoolClient) => Promise<void>) => Promise<void>;
  /** Reschedules the job at no cost; otherwise as `complete`. `error` is why, for the operator. */
  readonly postpone: (delayMs: number, also?: (client: PoolClient) => Promise<void>, error?: string) => Promise<void>;
  /** Records the job's progress, 0 to 100, with the next renewal of the lease. */
  readonly progress: (percent: number) => void;
  /**
   * Reports to the queue's circuit breaker that the job's origin could not be reached. Returns whether the breaker is
   * open: then several origins in a row could not be reached, so that the network is at fault and none of them.
   */
  readonly originUnreachable: () => boolean;
};

export type Queue = {
  /** Concurrent jobs in this process. */
  readonly slots: number;
  /** Runs the job and calls `job.complete`. Throwing decides about another try by the error's class. */
  readonly run: (job: Job) => Promise<void>;
  /** Runs in the transaction that marks the job as failed. */
  readonly failed: (client: PoolClient, job: ClaimedJob, error: unknown) => Promise<void>;
  /** Whether another try is pointless after a defect, beyond errors that are permanent by their code. */
  readonly givesUp?: (error: unknown, job: ClaimedJob) => boolean;
  /** Tries that may end with a defect; 5 by default. */
  readonly maxTries?: number;
  /**
   * How often an idle slot of this queue polls; the worker's own interval by default. Many slots need not poll often.
   */
  readonly pollMs?: number;
  /** How many slots one tenant or origin may hold; while others wait, half for a tenant by default. */
  readonly shares?: Shares;
};

/** Dependencies of every slot of a process. */
export type Deps = Omit<RetryLimits, 'maxTries'> & {
  readonly pool: Pool;
  readonly log: Logger;
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly onJobEnded: () => void;
  /** Called when the database could not be reached: leases of other processes may have expired for that reason. */
  readonly onDatabaseAway: () => void;
  /** Aborts when the process begins to stop. */
  readonly stopping: AbortSignal;
  readonly occupancy: Occupancy;
  /** Running jobs, by row id. */
  readonly running: Map<number, { readonly job: ClaimedJob; readonly abort: AbortController }>;
};

/** A job with what its slot holds for it; it is one of the running ones already. */
export type Claimed = {
  readonly job: ClaimedJob;
  /** Milliseconds of this process's monotonic clock. */
  readonly claimedAt: number;
  readonly abort: AbortController;
  readonly leave: Leave;
  readonly breaker: Breaker;
  /** Whether it probes an open breaker. */
  readonly isProbe: boolean;
};

export type Outcome = 'done' | 'retried' | 'failed' | 'lost' | 'released';

/** Runs one claimed job and returns its outcome. */
export async function performJob(deps: Deps, queue: Queue, claimed: Claimed): Promise<Outcome> {
  const { job, leave, abort } = claimed;
  const { running, stopping } = deps;
  const stop = (): void => abort.abort(new Error('the process stops'));
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop(); // Claimed just as the process began to stop.
  let percent = 0;
  const lease = keepLease(deps, job, abort, () => percent);
  let leaveQuarantine: Leave | undefined;
  try {
    if (needsQuarantine(job.crashes) && !crashLimitReached(job.crashes)) {
      leave();
      leaveQuarantine = await deps.occupancy.enterQuarantine(abort.signal);
      abort.signal.throwIfAborted();
      await setQuarantined(deps.pool, job);
      deps.log.warn({ crashes: job.crashes }, 'a job that has crashed runs alone');
    }
    abort.signal.throwIfAborted();
    const { signal } = abort;
    await withSignal(signal, () => runJob(deps, queue, claimed, signal, (value) => void (percent = value)));
    return 'done';
  } catch (error) {
    return await finishFailed(deps, queue, claimed, error, abort.signal);
  } finally {
    stopping.removeEventListener('abort', stop);
    abort.abort();
    // A job that was lost and released elsewhere may run here again.
    if (running.get(job.id)?.abort === abort) running.delete(job.id);
    leave();
    leaveQuarantine?.();
    await lease;
  }
}

/** Renews until `abort`; aborts by itself when the lease is lost or the row was cancelled. */
async function keepLease(deps: Deps, job: ClaimedJob, abort: AbortController, percent: () => number): Promise<void> {
  const { pool, log, leaseMs, renewMs } = deps;
  let held = performance.now();
  while (!abort.signal.aborted) {
    await pause(renewMs, abort.signal);
    if (abort.signal.aborted) return;
    const kept = await renew(pool, job, leaseMs, percent()).catch((error: unknown) => {
      log.warn({ reason: messageOf(error) }, 'a lease could not be renewed');
      deps.onDatabaseAway();
      return performance.now() - held < leaseMs - renewMs;
    });
    if (kept) held = performance.now();
    else abort.abort(new AppError('ABORTED', 'the lease was lost or the job was cancelled'));
  }
}

async function runJob(
  { pool, onJobEnded }: Deps,
  queue: Queue,
  { job, breaker, isProbe }: Claimed,
  signal: AbortSignal,
  progress: Job['progress'],
): Promise<void> {
  await failpoint('work.job-claimed');
  if (crashLimitReached(job.crashes))
    throw new AppError('INTERNAL', 'the job ended its worker again and again', { reason: 'worker_killed' });
  let reached = true;
  await queue.run({
    ...job,
    signal,
    progress,
    complete: async (also) => {
      await finish(pool, job, undefined, also);
      await failpoint('work.job-finished');
      onJobEnded();
    },
    postpone: async (delayMs, also, error) => {
      await postpone(pool, job, { delayMs, error }, also);
      onJobEnded();
    },
    originUnreachable: () => {
      reached = false;
      breaker.failed(job.origin, isProbe);
      return breaker.isOpen();
    },
  });
  if (reached) breaker.succeeded();
}

async function finishFailed(
  deps: Deps,
  queue: Queue,
  claimed: Claimed,
  error: unknown,
  signal: AbortSignal,
): Promise<Outcome> {
  const { pool, log } = deps;
  const { job } = claimed;
  // The process stops, the job was cancelled, or the lease could not be renewed: whatever failed then says nothing.
  if (signal.aborted) return (await written(deps, () => release(pool, job))) ? 'released' : 'lost';
  const limits = { ...deps, maxTries: queue.maxTries ?? 5 };
  const verdict = crashLimitReached(job.crashes)
    ? ({ kind: 'failed' } as const)
    : decideRetry(reportFailure(queue, claimed, error), job, limits);
  const { tries, crashes } = job;
  log.warn({ err: error, class: classify(error).class, tries, crashes, ...verdict }, 'a job failed');
  if (verdict.kind === 'retry') {
    const retry = { ...verdict, error: messageOf(error), reason: reasonOf(error) };
    return (await written(deps, () => scheduleRetry(pool, job, retry))) ? 'retried' : 'lost';
  }
  await endAsFailed(deps, queue, job, error);
  deps.onJobEnded();
  return 'failed';
}

/**
 * Ends a job as failed. Where its queue cannot take that, the job ends all the same, or it would come back for ever; a
 * stage without a job left is given up when it is requested again.
 */
async function endAsFailed(deps: Deps, queue: Queue, job: ClaimedJob, error: unknown): Promise<void> {
  const end = (also?: (client: PoolClient) => Promise<void>): Promise<void> =>
    written(deps, () => finish(deps.pool, job, messageOf(error), also));
  await end((client) => queue.failed(client, job, error)).catch((failure: unknown) => {
    if (classify(failure).class === 'dependency') throw failure;
    deps.log.error({ err: failure }, 'the failure of a job could not be reported');
    return end();
  });
}

/** Classifies a failure, and reports it to the circuit breaker. */
function reportFailure(queue: Queue, { job, claimedAt, breaker, isProbe }: Claimed, error: unknown): FailedTry {
  const missing = classify(error).missing;
  const permanent = classify(error).permanent || queue.givesUp?.(error, job) === true;
  const known = classify(error).class;
  const wasLost = error instanceof AppError && error.code === 'ABORTED';
  if (known === 'crash' || (known === 'dependency' && !missing && !wasLost)) breaker.failed(job.videoId, isProbe);
  // A file that was found faulty shows that everything else works.
  if (known === 'input') breaker.succeeded();
  // Children of several videos in a row were killed: this machine is at fault, and none of the videos.
  const tookMs = performance.now() - claimedAt;
  const pausedMs = Math.min(job.readyMs, Math.max(0, breaker.openForMs() - tookMs));
  return { class: known === 'crash' && breaker.isOpen() ? 'dependency' : known, missing, permanent, tookMs, pausedMs };
}

function reasonOf(error: unknown): string | null {
  return error instanceof AppError ? (error.reason ?? error.code) : null;
}

/** Writes how a job ended, again and again while the database is away: an expired lease would count as a crash. */
async function written<T>(deps: Deps, write: () => Promise<T>): Promise<T> {
  for (let pauseMs = 250; ; pauseMs = Math.min(2 * pauseMs, 5_000)) {
    try {
      return await write();
    } catch (error) {
      const isOurs = error instanceof AppError;
      if (isOurs || classify(error).class !== 'dependency' || deps.stopping.aborted) throw error;
      deps.log.warn({ reason: messageOf(error) }, 'the end of a job could not be written yet');
      deps.onDatabaseAway();
      await pause(pauseMs, deps.stopping);
    }
  }
}
