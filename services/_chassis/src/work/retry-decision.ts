/**
 * Errors have classes, and only one of them is the file's: what a failed try costs its job, and what happens next.
 * - `input`: the job fails.
 * - `dependency`: costs nothing; retried with growing delays until the dependency has been unavailable for very long. A
 *   thing missing while its store works is given up much earlier. The limits count measured outage time (tries, the
 *   pauses between them, and paused queues), not wall-clock time: queueing and clock jumps do not use them up.
 * - `crash`: counted apart. After two the job is quarantined: it runs alone in its process, and only crashes while
 *   alone count towards its failure. Of several jobs that were killed together at most one is at fault.
 * - `defect`: a few tries, with growing delays.
 */
import type { ErrorClass } from '../errors.ts';

/** A job that waits for a dependency is tried at least this often: work resumes soon after it recovers. */
const MAX_WAIT_MS = 20_000;
/** Crashes after which a job is quarantined: it runs alone in its process. */
export const CRASHES_BEFORE_QUARANTINE = 2;
/** Crashes in quarantine after which a job fails. */
export const CRASHES_IN_QUARANTINE = 2;

export type FailedTry = {
  readonly class: ErrorClass;
  /** Of the class `dependency`: one thing does not exist. */
  readonly missing: boolean;
  /** Of the class `defect`: another try is pointless. */
  readonly permanent: boolean;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  /** Milliseconds that its queue was paused for an unavailable dependency, after the job could be claimed. */
  readonly pausedMs: number;
};

/** A job's earlier tries, from its row. */
export type JobHistory = {
  readonly tries: number;
  readonly crashes: number;
  readonly blockedBy: BlockedBy | null;
  /** Milliseconds blocked according to its failures in a row, until it could be claimed; 0 when not blocked. */
  readonly blockedMs: number;
};
export type BlockedBy = 'dependency' | 'missing';

export type RetryLimits = {
  /** Tries that may end with a defect. */
  readonly maxTries: number;
  /** Wait before the second try, the third and so on; the last one repeats. */
  readonly retryDelaysMs: readonly number[];
  /** How long a job waits for a dependency before it fails. */
  readonly dependencyLimitMs: number;
  /** How long a job waits for a missing thing. */
  readonly missingLimitMs: number;
};

export type Verdict =
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'retry';
      readonly counts: BlockedBy | 'crash' | 'defect';
      readonly delayMs: number;
      /** What `JobHistory.blockedMs` is before the next try. */
      readonly blockedMs: number;
    };

/** Decides what happens to a job after a failed try. */
export function decideRetry(failed: FailedTry, history: JobHistory, limits: RetryLimits): Verdict {
  switch (failed.class) {
    case 'input':
      return { kind: 'failed' };
    case 'dependency':
      return waitFor(failed.missing ? 'missing' : 'dependency', failed, history, limits);
    case 'crash': {
      const crashes = history.crashes + 1;
      if (crashLimitReached(crashes)) return { kind: 'failed' };
      return { kind: 'retry', counts: 'crash', delayMs: delayAfter(crashes, limits), blockedMs: 0 };
    }
    case 'defect': {
      const tries = history.tries + 1;
      if (failed.permanent || tries >= limits.maxTries) return { kind: 'failed' };
      return { kind: 'retry', counts: 'defect', delayMs: delayAfter(tries, limits), blockedMs: 0 };
    }
  }
}

function waitFor(by: BlockedBy, { tookMs, pausedMs }: FailedTry, history: JobHistory, limits: RetryLimits): Verdict {
  // Only a working store can show that an object is missing.
  const sinceReadyMs = tookMs + (by === 'missing' ? 0 : pausedMs);
  const blockedMs = history.blockedBy === by ? history.blockedMs + sinceReadyMs : 0;
  if (blockedMs >= (by === 'missing' ? limits.missingLimitMs : limits.dependencyLimitMs)) return { kind: 'failed' };
  const [first = 1_000] = limits.retryDelaysMs;
  const longest = Math.min(limits.retryDelaysMs.at(-1) ?? first, MAX_WAIT_MS);
  const delayMs = Math.min(Math.max(first, blockedMs / 2), longest);
  return { kind: 'retry', counts: by, delayMs, blockedMs: blockedMs + delayMs };
}

function delayAfter(failures: number, { retryDelaysMs }: RetryLimits): number {
  return retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1] ?? 1_000;
}

/** Whether a job that has crashed this often must run alone in its process. */
export function needsQuarantine(crashes: number): boolean {
  return crashes >= CRASHES_BEFORE_QUARANTINE;
}

/** Whether a job that has crashed this often is itself at fault. */
export function crashLimitReached(crashes: number): boolean {
  return crashes >= CRASHES_BEFORE_QUARANTINE + CRASHES_IN_QUARANTINE;
}
