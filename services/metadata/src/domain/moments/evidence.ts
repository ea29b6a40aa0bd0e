/** Signs that something worth seeing again happened, and how strongly each kind of them counts. */
import type { Span } from '../span.ts';

export type Reason = 'crowd' | 'commentary' | 'replay' | 'score' | 'cuts';

/** It happened within the span. */
export type Evidence = Span & {
  readonly reason: Reason;
  /** 0 to 1. */
  readonly strength: number;
  /** The end of the reaction to it. */
  readonly reactionEndMs: number;
};

/** How likely a sign of full strength is right by itself. Tuned on one half of the judged games. */
export const weights: Readonly<Record<Reason, number>> = {
  crowd: 0.45,
  commentary: 0.65,
  replay: 0.35,
  score: 0.6,
  cuts: 0.15,
};

/** A value as a share of the way from `from` to `to`, 0 to 1. */
export function shareOf(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}

/** The median; 0 of no values. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
