/** Runs one claimed job: its lease is renewed while the handler runs, and its outcome is written once. */
import type { Pool, PoolClient } from '../database/database.ts';
import { AppError, classify, messageOf } from '../errors.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import { withLogFields, type Logger } from '../telemetry/log.ts';
import { inTrace } from '../telemetry/telemetry.ts';
import { backoff, pause } from '../async.ts';
import type { Breaker } from '../breaker.ts';
import { withSignal } from '../process/current-signal.ts';
import { finish, postpone, release, renew, scheduleRetry, setQuarantined, type ClaimedJob } from './job-rows.ts';
import type { Occupancy, Release } from './occupancy.ts';
import type { Job, Queue } from './queue.ts';
import { withPhases } from './phases.ts';
import { crashLimitReached, decideRetry, needsQuarantine, type FailedTry, type RetryLimits } from './retry-decision.ts';
import { createStallTimer, type StallTimer } from './stall-timer.ts';

/** Dependencies of every slot of a process. */
export type Deps = Omit<RetryLimits, 'maxTries'> & {
  readonly pool: Pool;
  readonly log: Logger;
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly onJobEnded: () => void;
  /** Called when the database could not be reached: leases of other processes may have expired for that reason. */
  readonly onDatabaseAway: () => void;
  /** Aborts when the process starts to stop. */
  readonly stopping: AbortSignal;
  readonly occupancy: Occupancy;
  /** Running jobs, by row id. */
  readonly running: Map<number, { readonly job: ClaimedJob; readonly abort: AbortController }>;
};

/** A job with what its slot holds for it; already one of the running ones. */
export type Claimed = {
  readonly job: ClaimedJob;
  /** Milliseconds of this process's monotonic clock. */
  readonly claimedAt: number;
  readonly abort: AbortController;
  readonly release: Release;
  readonly breaker: Breaker;
  /** Whether it probes an open breaker. */
  readonly isProbe: boolean;
  /** Whether its end is written: the rest of its handler needs no lease. */
  isEnded: boolean;
};

export type Outcome = 'done' | 'retried' | 'failed' | 'lost' | 'released' | 'unsettled';

/** Runs one claimed job in its trace, and returns its outcome. Never throws. */
export async function runClaimed(deps: Deps, queue: Queue, claimed: Claimed): Promise<Outcome> {
  const { job, breaker, isProbe } = claimed;
  const attributes = { 'vds.video_id': job.videoId, 'vds.job': job.name };
  const outcome = await inTrace(job.traceparent, `work ${job.queue}`, attributes, () =>
    withLogFields({ video_id: job.videoId, job: job.name }, () => withPhases(() => performJob(deps, queue, claimed))),
  ).catch((error: unknown) => {
    deps.log.error({ err: error, queue: job.queue, job: job.name }, 'end of a job not written; its lease will expire');
    return 'unsettled' as const;
  });
  if (isProbe) breaker.probeEnded();
  return outcome;
}

async function performJob(deps: Deps, queue: Queue, claimed: Claimed): Promise<Outcome> {
  const { job, abort, breaker } = claimed;
  const { running, stopping } = deps;
  const stop = (): void => abort.abort(new Error('the process stops'));
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop(); // Claimed just as the process started to stop.
  let percent = 0;
  const stalled = Promise.withResolvers<never>();
  stalled.promise.catch(() => undefined); // nobody may be waiting for it
  const stall = createStallTimer({
    isPaused: breaker.isOpen,
    onStall: (ms) => stalled.reject(new AppError('INTERNAL', `no progress for ${ms} ms`, { reason: 'timed_out' })),
  });
  const progress = (value: number): void => {
    if (value !== percent) stall.reset();
    percent = value;
  };
  const lease = keepLease(deps, claimed, () => percent);
  let releaseQuarantine: Release | undefined;
  try {
    releaseQuarantine = await quarantine(deps, claimed);
    abort.signal.throwIfAborted();
    const handled = withSignal(abort.signal, () => handle(deps, queue, claimed, { progress, stall }));
    // A handler that hangs does not keep its slot.
    await Promise.race([handled, stalled.promise]);
    return 'done';
  } catch (error) {
    return await finishFailed(deps, queue, claimed, error);
  } finally {
    stall.stop();
    stopping.removeEventListener('abort', stop);
    abort.abort();
    // A job that was lost and released elsewhere may run here again.
    if (running.get(job.id)?.abort === abort) running.delete(job.id);
    claimed.release();
    releaseQuarantine?.();
    await lease;
  }
}

/** Makes a crashed job run alone in its process: then a crash is its own. */
async function quarantine(deps: Deps, { job, abort, release: leave }: Claimed): Promise<Release | undefined> {
  if (!needsQuarantine(job.crashes) || crashLimitReached(job.crashes)) return undefined;
  leave();
  const releaseQuarantine = await deps.occupancy.acquireExclusive(abort.signal);
  if (releaseQuarantine === undefined) return undefined;
  await setQuarantined(deps.pool, job);
  deps.log.warn({ crashes: job.crashes }, 'crashed job quarantined');
  return releaseQuarantine;
}

/** Renews until `abort` or the job's end; aborts by itself when the lease is lost or the row was cancelled. */
async function keepLease(deps: Deps, claimed: Claimed, percent: () => number): Promise<void> {
  const { pool, log, leaseMs, renewMs } = deps;
  const { job, abort } = claimed;
  let held = performance.now();
  for (;;) {
    await pause(renewMs, abort.signal);
    if (abort.signal.aborted || claimed.isEnded) return;
    const kept = await renew(pool, job, leaseMs, percent()).catch((error: unknown) => {
      log.warn({ reason: messageOf(error) }, 'lease not renewed');
      deps.onDatabaseAway();
      return performance.now() - held < leaseMs - renewMs;
    });
    if (claimed.isEnded) return;
    if (kept) held = performance.now();
    else abort.abort(new AppError('ABORTED', 'the lease was lost or the job was cancelled'));
  }
}

async function handle(
  { pool, onJobEnded }: Deps,
  queue: Queue,
  claimed: Claimed,
  { progress, stall }: { readonly progress: Job['progress']; readonly stall: StallTimer },
): Promise<void> {
  const { job, abort, breaker, isProbe } = claimed;
  await failpoint('work.job-claimed');
  if (crashLimitReached(job.crashes))
    throw new AppError('INTERNAL', 'the job ended its worker again and again', { reason: 'worker_killed' });
  let reached = true;
  await queue.run({
    ...job,
    signal: abort.signal,
    progress,
    moved: stall.reset,
    stallAfter: stall.start,
    complete: async (also) => {
      await finish(pool, job, undefined, also);
      claimed.isEnded = true;
      await failpoint('work.job-finished');
      onJobEnded();
    },
    postpone: async (delayMs, also, error) => {
      await postpone(pool, job, { delayMs, error }, also);
      claimed.isEnded = true;
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

async function finishFailed(deps: Deps, queue: Queue, claimed: Claimed, error: unknown): Promise<Outcome> {
  const { pool, log } = deps;
  const { job, abort } = claimed;
  // The process stops, the job was cancelled, or the lease could not be renewed: a failure then means nothing.
  if (abort.signal.aborted) return (await written(deps, () => release(pool, job))) ? 'released' : 'lost';
  const { dependencyLimitMs, missingLimitMs, retryDelaysMs } = deps;
  const limits = { dependencyLimitMs, missingLimitMs, retryDelaysMs, maxTries: queue.maxTries ?? 5 };
  const failed = reportFailure(queue, claimed, error);
  const verdict = crashLimitReached(job.crashes) ? ({ kind: 'failed' } as const) : decideRetry(failed, job, limits);
  const { tries, crashes } = job;
  log.warn({ err: error, class: failed.class, tries, crashes, ...verdict }, 'job failed');
  if (verdict.kind === 'retry') {
    const retry = { ...verdict, error: messageOf(error), reason: reasonOf(error) };
    return (await written(deps, () => scheduleRetry(pool, job, retry))) ? 'retried' : 'lost';
  }
  await endAsFailed(deps, queue, job, error);
  deps.onJobEnded();
  return 'failed';
}

/**
 * Ends a job as failed. If its queue cannot handle that, the job ends anyway, or it would return forever; a stage
 * without a job left is given up when it is requested again.
 */
async function endAsFailed(deps: Deps, queue: Queue, job: ClaimedJob, error: unknown): Promise<void> {
  const end = (also?: (client: PoolClient) => Promise<void>): Promise<void> =>
    written(deps, () => finish(deps.pool, job, messageOf(error), also));
  await end((client) => queue.failed(client, job, error)).catch((failure: unknown) => {
    if (classify(failure).class === 'dependency') throw failure;
    deps.log.error({ err: failure }, 'failure of a job not reported');
    return end();
  });
}

/** Classifies a failure, and reports it to the circuit breaker. */
function reportFailure(queue: Queue, { job, claimedAt, breaker, isProbe }: Claimed, error: unknown): FailedTry {
  const { class: known, missing, permanent } = classify(error);
  const wasLost = error instanceof AppError && error.code === 'ABORTED';
  if (known === 'crash' || (known === 'dependency' && !missing && !wasLost)) breaker.failed(job.videoId, isProbe);
  // A faulty file shows that everything else works.
  if (known === 'input') breaker.succeeded();
  const tookMs = performance.now() - claimedAt;
  return {
    // Children of several videos in a row were killed: this machine is at fault, not the videos.
    class: known === 'crash' && breaker.isOpen() ? 'dependency' : known,
    missing,
    permanent: permanent || queue.givesUp?.(error, job) === true,
    tookMs,
    pausedMs: Math.min(job.readyMs, Math.max(0, breaker.openForMs() - tookMs)),
  };
}

function reasonOf(error: unknown): string | null {
  return error instanceof AppError ? (error.reason ?? error.code) : null;
}

/** Writes how a job ended, retrying while the database is unavailable: an expired lease would count as a crash. */
async function written<T>(deps: Deps, write: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await write();
    } catch (error) {
      const isOurs = error instanceof AppError;
      if (isOurs || classify(error).class !== 'dependency' || deps.stopping.aborted) throw error;
      deps.log.warn({ reason: messageOf(error) }, 'end of a job not written, retrying');
      deps.onDatabaseAway();
      await pause(backoff(failures, 250, 5_000), deps.stopping);
    }
  }
}
