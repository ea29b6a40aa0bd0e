/**
 * What happens to a message whose handler failed: dependency errors cost no try, everything else is retried a bounded
 * number of times. The decisions are pure; `failures` holds their state.
 */
import { AppError, classify } from '../errors.ts';
import { backoff } from '../async.ts';

/**
 * - `rejected`: a retry cannot help
 * - `dependency`: something the handler needs is unavailable; the message is not to blame
 * - `defect`: anything else, such as a bug
 */
export type Failure = 'rejected' | 'dependency' | 'defect';
export type Verdict = { readonly outcome: 'retried'; readonly delayMs: number } | { readonly outcome: 'dead_lettered' };

/** How often the handler of one message has failed in this process. */
export type Count = { readonly defects: number; readonly dependencies: number };

/**
 * While this many messages of a process wait for a retry after a defect, further ones get only two retries, so that new
 * ones still pass; likewise while half of the server's limit is unacknowledged in all processes.
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
 * @param count the failures of this message, including this one
 * @param waiting messages of this process waiting for a retry after a defect; Infinity if too many are in all processes
 * @param policy delays after each defect; how many dependency failures a message survives
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
 * What happens to a message of a subject that this version does not consume. During a rollout it soon reaches a replica
 * of a version that does; if none runs (after a rollback), such messages must not fill the durable.
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
 * Counts the failures of messages in this process. The server's count cannot tell a defect from an unavailable
 * dependency or a replica of another version.
 * @param now milliseconds of a monotonic clock
 */
export function failures(now: () => number = () => performance.now()) {
  const counts = new Map<string, Count & { readonly at: number }>();
  return {
    /** Counts one more failure of a message, unless it is a dependency's and nothing succeeds now. */
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
     * dropped; those that only wait for a dependency are not counted.
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
