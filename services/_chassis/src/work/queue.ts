/** The contract between a queue and the worker that runs its jobs. */
import type { PoolClient } from '../database/database.ts';
import type { ClaimedJob } from './job-rows.ts';
import type { Shares } from './shares.ts';

/** A claimed job as its handler sees it. */
export type Job = ClaimedJob & {
  /** Aborts when the lease is lost, the job is cancelled or stalls, or the process stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the job as done. `also` runs in the same transaction.
   * @throws AppError ABORTED when the fence is no longer ours; nothing is written then
   */
  readonly complete: (also?: (client: PoolClient) => Promise<void>) => Promise<void>;
  /** Reschedules the job at no cost; otherwise as `complete`. `error` is why, for the operator. */
  readonly postpone: (delayMs: number, also?: (client: PoolClient) => Promise<void>, error?: string) => Promise<void>;
  /** Records the job's progress, 0 to 100, with the next renewal of the lease. A new value counts as progress. */
  readonly progress: (percent: number) => void;
  /** Counts as progress, besides `progress`. */
  readonly moved: () => void;
  /** From now on the try ends as a defect when the job makes no progress for this long. */
  readonly stallAfter: (stallMs: number) => void;
  /**
   * Reports to the queue's circuit breaker that the job's origin is unreachable. Returns whether the breaker is open:
   * then several origins in a row were unreachable, so the network is at fault, not the origins.
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
  /** How many slots one tenant or origin may hold; while others wait, half for a tenant by default. */
  readonly shares?: Shares;
};
