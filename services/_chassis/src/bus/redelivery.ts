/**
 * What becomes of a message whose handler failed, and when a process stops pulling. The decisions are pure; `failures`
 * and `dependencyPause` hold the little state that they need.
 */
import { AppError, classify } from '../errors.ts';
import { backoff } from '../process/async.ts';

/**
 * - `rejected`: a retry cannot help
 * - `dependency`: something that the handler needs is away; the message is not to blame
 * - `defect`: anything else, such as a bug
 */
export type Failure = 'rejected' | 'dependency' | 'defect';
export type Verdict = { readonly outcome: 'retried'; readonly delayMs: number } | { readonly outcome: 'dead_lettered' };

/** How often the handler of one message has failed in this process. */
export type Count = { readonly defects: number; readonly dependencies: number };

/**
 * While this many messages of a process wait for a retry after a defect, further ones get only the first two, so that new
 * ones still pass; the same while half of what the server hands out at most is unacknowledged in all processes together.
 */
export const MAX_WAITING_RETRIES = 500;
const TRIES_WHEN_SATURATED = 2;
const RETURNS_WHEN_SATURATED = 10;

const MAX_DELAY_MS = 30_000;
const MAX_PAUSE_MS = 15_000;
const PAUSE_AFTER = 3;

/** Failures of these kinds concern one message, although their class is `dependency`: a missing object, a busy row. */
const ofOneMessage = new Set(['NOT_FOUND', 'ABORTED']);

/** Why a handler failed. Unknown errors count as defects. */
export function failureOf(error: unknown): Failure {
  const concernsOne = error instanceof AppError && ofOneMessage.has(error.code);
  if (!concernsOne && classify(error).class === 'dependency') return 'dependency';
  return classify(error).permanent && !concernsOne ? 'rejected' : 'defect';
}

/**
 * @param count the failures of this message, this one included
 * @param waiting messages of this process that wait for a retry after a defect; Infinity if too many do in all processes
 * @param policy delays after each defect; how many failures of a dependency a message survives
 */
export function decideRedelivery(
  failure: Failure,
  count: Count,
  waiting: number,
  policy: { readonly retryDelaysMs: readonly number[]; readonly dependencyTries: number },
): Verdict {
  if (failure === 'rejected') return { outcome: 'dead_lettered' };
  if (failure === 'dependency') {
    const isLast = count.dependencies > policy.dependencyTries;
    return isLast
      ? { outcome: 'dead_lettered' }
      : { outcome: 'retried', delayMs: backoff(count.dependencies, 1_000, MAX_DELAY_MS) };
  }
  const tries = waiting > MAX_WAITING_RETRIES ? TRIES_WHEN_SATURATED : policy.retryDelaysMs.length;
  const delayMs = policy.retryDelaysMs[count.defects - 1];
  if (count.defects > tries || delayMs === undefined) return { outcome: 'dead_lettered' };
  return { outcome: 'retried', delayMs: Math.min(delayMs, MAX_DELAY_MS) };
}

/**
 * What becomes of a message that another version consumes: during a rollout it soon meets a replica of that version. If
 * none runs (a release was rolled back), such messages must not fill the durable: nothing new would be delivered.
 * @param delivery 1 for the first
 * @param isSaturated whether too many messages are unacknowledged in all processes
 */
export function decideUnhandled(
  delivery: number,
  isSaturated: boolean,
): { readonly outcome: 'returned'; readonly delayMs: number } | { readonly outcome: 'unwanted' } {
  if (isSaturated && delivery > RETURNS_WHEN_SATURATED) return { outcome: 'unwanted' };
  return { outcome: 'returned', delayMs: delivery <= 60 ? 1_000 : MAX_DELAY_MS };
}

/**
 * Counts the failures of messages in this process. The server's own count cannot tell a defect from an absent dependency
 * or from a replica of another version.
 * @param now milliseconds of a clock that does not leap
 */
export function failures(now: () => number = () => performance.now()) {
  const counts = new Map<string, Count & { readonly at: number }>();
  return {
    /** Counts one more failure of a message, unless it is a dependency's and nothing succeeds at present. */
    add: (message: string, failure: Failure, isPaused = false): Count => {
      const before = counts.get(message) ?? { defects: 0, dependencies: 0 };
      const count = {
        defects: before.defects + (failure === 'defect' ? 1 : 0),
        dependencies: before.dependencies + (failure === 'dependency' && !isPaused ? 1 : 0),
      };
      counts.delete(message); // the oldest come first
      counts.set(message, { ...count, at: now() });
      return count;
    },
    forget: (message: string): void => void counts.delete(message),
    /**
     * Messages that wait for a retry after a defect in this process. Those that another replica has handled since are
     * dropped; those that wait for a dependency alone are no sign of a bug.
     */
    waiting: (): number => {
      for (const [message, { at }] of counts) {
        if (now() - at < 4 * MAX_DELAY_MS) break;
        counts.delete(message);
      }
      return [...counts.values()].filter(({ defects }) => defects > 0).length;
    },
  };
}

export type DependencyPause = ReturnType<typeof dependencyPause>;

/**
 * Stops a process from pulling while a dependency is away: after failures of three messages in a row, with pauses that
 * grow from 1 to 15 s, after each of which one message is tried. Any success ends it.
 * @param now milliseconds of a clock that does not leap
 */
export function dependencyPause(now: () => number = () => performance.now()) {
  let failed = new Set<string>();
  let pauseMs = 0;
  let until = 0;
  return {
    /** @returns the length of the pause that this failure began */
    failed: (message: string): number | undefined => {
      failed.add(message);
      if (now() < until || (pauseMs === 0 && failed.size < PAUSE_AFTER)) return undefined;
      pauseMs = Math.min(MAX_PAUSE_MS, Math.max(1_000, 2 * pauseMs));
      until = now() + pauseMs;
      failed = new Set();
      return pauseMs;
    },
    /** @returns whether this success ended the pause */
    succeeded: (): boolean => {
      const ended = pauseMs > 0;
      failed = new Set();
      [pauseMs, until] = [0, 0];
      return ended;
    },
    /** Milliseconds until the next message may be tried; undefined while nothing is amiss. */
    leftMs: (): number | undefined => (pauseMs === 0 ? undefined : Math.max(0, until - now())),
  };
}
