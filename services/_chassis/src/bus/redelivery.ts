/**
 * What becomes of a message whose handler failed: errors of a dependency cost it no try, and whatever else is retried a
 * bounded number of times. The decisions are pure; `failures` holds the little state that they need.
 */
import { AppError, classify } from '../errors.ts';
import { backoff } from '../async.ts';

/**
 * - `rejected`: a retry cannot help
 * - `dependency`: something that the handler needs is unavailable; the message is not to blame
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
const MAX_RETURNS = 20;

const MAX_DELAY_MS = 30_000;

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
 * What becomes of a message of a subject that this version does not consume. During a rollout it soon meets a replica of
 * the version that does; if none runs (a release was rolled back), such messages must not fill the durable.
 * @param delivery 1 for the first
 * @param isSaturated whether too many messages are unacknowledged in all processes
 */
export function decideUnhandled(
  delivery: number,
  isSaturated: boolean,
): { readonly outcome: 'returned'; readonly delayMs: number } | { readonly outcome: 'unwanted' } {
  if (delivery > (isSaturated ? RETURNS_WHEN_SATURATED : MAX_RETURNS)) return { outcome: 'unwanted' };
  return { outcome: 'returned', delayMs: delivery <= RETURNS_WHEN_SATURATED ? 1_000 : MAX_DELAY_MS };
}

/**
 * Counts the failures of messages in this process. The server's own count cannot tell a defect from an absent dependency
 * or from a replica of another version.
 * @param now milliseconds of a monotonic clock
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
