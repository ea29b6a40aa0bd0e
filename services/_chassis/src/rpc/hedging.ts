/**
 * Partners get right answers while one replica hangs or is just starting. Hedging (gRFC A6): a call that takes long is sent
 * a second time, to another replica, which the library's own policy does not guarantee.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type ErrorCode } from '../errors.ts';

export type Attempt<T> = { readonly reply: Promise<T>; readonly cancel: () => void };

/**
 * Hedged calls that one client may have running. While another replica replies, they last milliseconds and stay far
 * below the limit; when all replicas are slow, more of them would only add load.
 */
const MAX_HEDGED = 8;
const LIMIT_POLL_MS = 20;

/**
 * Makes the calls of one client: each by `startFirst`, and also by `startSecond` after `delayMs` without an answer. The
 * first answer counts; an attempt that ends without one leaves it to the other.
 */
export function createHedging() {
  let running = 0;
  return async <T>(startFirst: () => Attempt<T>, startSecond: () => Attempt<T>, delayMs: number): Promise<T> => {
    const first = startFirst();
    const ended = first.reply.then(
      () => false,
      () => false,
    );
    // A timer, as an aborted pause would make an error with its stack for each call.
    const { promise: isLate, resolve } = Promise.withResolvers<boolean>();
    const delay = setTimeout(resolve, delayMs, true);
    let late = await Promise.race([ended, isLate]);
    clearTimeout(delay);
    while (late && running >= MAX_HEDGED) late = await Promise.race([ended, sleep(LIMIT_POLL_MS, true)]);
    if (!late) return first.reply;
    const second = startSecond(); // throws when the work around the call was aborted
    running += 1;
    try {
      return await Promise.race([orElse(first, second), orElse(second, first)]);
    } finally {
      running -= 1;
      first.cancel();
      second.cancel();
    }
  };
}

/** Ends without an answer of the server. */
const unanswered: readonly ErrorCode[] = ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'CANCELLED'];

/** The outcome of one attempt; that of the other if the server did not answer this one. */
async function orElse<T>(one: Attempt<T>, other: Attempt<T>): Promise<T> {
  try {
    return await one.reply;
  } catch (error) {
    if (error instanceof AppError && unanswered.includes(error.code)) return other.reply;
    throw error;
  }
}
