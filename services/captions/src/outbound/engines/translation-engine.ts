/** The interface of a translation engine. */
import type { Pair } from '../../domain/routes.ts';

export type TranslationEngine = {
  readonly name: string;
  /** Every step that the engine supports now; queries it at each call. */
  readonly pairs: () => Promise<readonly Pair[]>;
  /**
   * Returns as many sentences as it receives, in their order. `path` begins with the language of the sentences and has
   * at least one more; each two neighbours are one of `pairs()`.
   * @throws AppError UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED or INTERNAL where a later try may succeed;
   * FAILED_PRECONDITION with reason `engine_error` where it will not; the signal's own reason when it aborts
   */
  readonly translate: (
    sentences: readonly string[],
    path: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
  /** Ends processes that stay between calls. */
  readonly close?: () => Promise<void>;
};
