/** What a look at one span of a title finds. It is kept as JSON, once an attempt, and put together for each revision. */
import type { Span } from './span.ts';

/** One stretch of picture between two cuts, as far as it lies in the span. */
export type AnalyzedShot = Span & {
  /** False where it goes on from the span before. */
  readonly cut: boolean;
  /** How sure the cut at its start is, 0 to 1. */
  readonly certainty: number;
  /** Shares of the colours, whole thousandths (src/domain/picture/sample.ts). */
  readonly colours: readonly number[];
  /** How much of the picture changes in a second: 100 is all of it from black to white. */
  readonly motion: number;
  /** Share of the shot in which the whole picture moves one way. */
  readonly pan: number;
  /** Share of the picture that is flat colour. */
  readonly flat: number;
  /** Middle of brightness, 0 to 255. */
  readonly brightness: number;
  /** The picture that stands for the shot, and how good it is for that; 0: not at all. */
  readonly thumbnailMs: number;
  readonly thumbnailWorth: number;
};

export type AnalyzedInterval = Span & { readonly kind: 'black' | 'frozen' };

/** A line of text on screen; the box is in thousandths of width and height: left, top, width, height. */
export type AnalyzedText = Span & {
  readonly text: string;
  readonly confidence: number;
  readonly box: readonly [number, number, number, number];
};

/** One second of sound: see src/domain/sound/features.ts for what the numbers are. */
export type AnalyzedSecond = readonly [
  level: number,
  flatness: number,
  modulation: number,
  steadiness: number,
  quiet: number,
];

export type Analysis = {
  readonly version: 1;
  readonly span: Span;
  readonly shots: readonly AnalyzedShot[];
  readonly stretches: readonly AnalyzedInterval[];
  readonly texts: readonly AnalyzedText[];
  /** False where there was no program to read text with. */
  readonly read: boolean;
  /** From the span's start on, one a second; empty without sound. */
  readonly seconds: readonly AnalyzedSecond[];
};
