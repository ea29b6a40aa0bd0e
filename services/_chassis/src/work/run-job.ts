/** Doing one claimed unit: its lease is kept while the handler runs, and whatever comes of it is written down once. */
import type { Pool, PoolClient } from '../database/database.ts';
import { AppError, isPermanent, messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { pause } from '../process/async.ts';
import { scheduleRetry, release, renew, finish, type Claimed } from './job-rows.ts';

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

/** What every slot of a process works with. */
export type Deps = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly retryDelaysMs: readonly number[];
  readonly afterSettle: () => void;
  /** Aborts when the process begins to stop. */
  readonly stopping: AbortSignal;
  /** Units in the slots, by row id. */
  readonly running: Map<number, { readonly groupKey: string; readonly abort: AbortController }>;
};

class Stopping extends Error {}

/** Does one claimed unit and returns what came of it: done, retried, failed, lost or given_back. */
export async function performJob(deps: Deps, queue: Queue, job: Claimed): Promise<string> {
  if (deps.stopping.aborted) {
    await release(deps.pool, job); // Claimed in the very moment in which the process was told to stop.
    return 'given_back';
  }
  const abort = new AbortController();
  deps.running.set(job.id, { groupKey: job.groupKey, abort });
  const stop = (): void => abort.abort(new Stopping('the process stops'));
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
async function keepLease(deps: Deps, job: Claimed, abort: AbortController, percent: () => number): Promise<void> {
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
    else abort.abort(new AppError('ABORTED', 'the lease was lost or the unit was cancelled'));
  }
}

async function runJob(
  deps: Deps,
  queue: Queue,
  job: Claimed,
  signal: AbortSignal,
  progress: Job['progress'],
): Promise<void> {
  if (job.tries > triesOf(queue)) throw new AppError('INVALID_ARGUMENT', 'the unit ended its worker again and again');
  await queue.run({
    ...job,
    signal,
    progress,
    complete: async (also, result) => {
      await finish(deps.pool, job, 'done', { result }, also);
      deps.afterSettle();
    },
  });
}

function triesOf(queue: Queue): number {
  return queue.maxTries ?? 5;
}

async function finishFailed(deps: Deps, queue: Queue, job: Claimed, error: unknown): Promise<string> {
  const { pool, log, retryDelaysMs } = deps;
  if (deps.stopping.aborted) {
    await release(pool, job);
    return 'given_back';
  }
  if (error instanceof AppError && error.code === 'ABORTED') return 'lost';
  const last = isPermanent(error) || job.tries >= triesOf(queue);
  log.warn({ err: error, try: job.tries, last }, 'a unit of work failed');
  if (!last) {
    const delayMs = retryDelaysMs[Math.min(job.tries, retryDelaysMs.length) - 1] ?? 1_000;
    await scheduleRetry(pool, job, delayMs, messageOf(error));
    return 'retried';
  }
  await finish(pool, job, 'failed', { error: messageOf(error) }, (client) => queue.failed(client, job, error));
  deps.afterSettle();
  return 'failed';
}
