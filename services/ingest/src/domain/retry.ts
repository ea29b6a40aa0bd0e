/** Decides whether a failed fetch is retried, and when. */
import type { FailureCode } from '@vds/proto/failures';
import { sourceFaults, type SourceFaultKind } from './source-fault.ts';

export type RetryPolicy = {
  /** Pauses between tries in milliseconds; one fewer than tries. */
  readonly delaysMs: readonly number[];
  /**
   * The tries after the first of consecutive failures begin within this time, in milliseconds: signed addresses may be
   * valid for only 30 minutes. Time that a try waits for a slot, or for a dependency of ours, is not part of it.
   */
  readonly windowMs: number;
};

/** 6 tries in at most 14 minutes: the first begins within 15:30, so the last within the 30 for which a signed address must be valid. */
export const defaultRetryPolicy: RetryPolicy = {
  delaysMs: [5_000, 20_000, 60_000, 180_000, 420_000],
  windowMs: 14 * 60_000,
};

export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'failed'; readonly code: FailureCode };

export type TrySoFar = {
  readonly fault: SourceFaultKind;
  /** Consecutive tries that stored nothing new, including this one; 1 after the first. */
  readonly tries: number;
  /** Milliseconds that they waited for the source, with the pauses between them. */
  readonly elapsedMs: number;
  /** How long the host asks to be left alone, in milliseconds (`Retry-After`); 0 where it says nothing. */
  readonly retryAfterMs: number;
};

/**
 * A host that asks for a longer pause gets it, unless that ends behind the window: then it is tried as any other, for
 * many a host is back before the time that it names.
 * @param random uniform in [0, 1): spreads the pauses by ± 20 %
 */
export function nextTry(
  { fault, tries, elapsedMs, retryAfterMs }: TrySoFar,
  policy: RetryPolicy,
  random: number,
): RetryDecision {
  const { code, tries: limit } = sourceFaults[fault];
  const pause = policy.delaysMs[tries - 1];
  if (tries >= limit || pause === undefined) return { kind: 'failed', code };
  const ownMs = Math.round(pause * (0.8 + 0.4 * random));
  const leftMs = policy.windowMs - elapsedMs;
  if (ownMs > leftMs) return { kind: 'failed', code };
  return { kind: 'retry', delayMs: retryAfterMs <= leftMs ? Math.max(ownMs, retryAfterMs) : ownMs };
}
