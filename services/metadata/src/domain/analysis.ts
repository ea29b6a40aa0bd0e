/** The analysis of one span of a video. It is stored as JSON, once per attempt, and combined for each revision. */
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import type { Span } from './span.ts';

/** The part of a shot, the interval between two cuts, that lies in the span. */
export type AnalyzedShot = Span & {
  /** False where it continues from the previous span. */
  readonly cut: boolean;
  /** Certainty of the cut at its start, 0 to 1. */
  readonly certainty: number;
  /** Shares of the colours, in whole thousandths (src/domain/picture/sample.ts). */
  readonly colours: readonly number[];
  /** How much of the picture changes in a second: 100 is all of it from black to white. */
  readonly motion: number;
  /** Share of the shot in which the whole picture moves one way. */
  readonly pan: number;
  /** Share of the picture that is flat colour. */
  readonly flat: number;
  /** Mean brightness, 0 to 255. */
  readonly brightness: number;
  /** The picture that represents the shot, and how suitable it is; 0: not at all. */
  readonly thumbnailMs: number;
  readonly thumbnailWorth: number;
  /** Share of its frames that repeat the one before; earlier releases did not measure it. */
  readonly repeats?: number;
};

export type AnalyzedInterval = Span & { readonly kind: 'black' | 'frozen' };

/** A line of text on screen; the box is in thousandths of width and height: left, top, width, height. */
export type AnalyzedText = Span & {
  readonly text: string;
  readonly confidence: number;
  readonly box: readonly [number, number, number, number];
};

export type Analysis = {
  readonly version: 1;
  readonly span: Span;
  readonly shots: readonly AnalyzedShot[];
  readonly intervals: readonly AnalyzedInterval[];
  readonly texts: readonly AnalyzedText[];
  /** One per second from the span's start; empty without sound. */
  readonly seconds: readonly AnalyzedSecond[];
  /** One per second from the span's start (src/domain/picture/prints.ts); earlier releases made none. */
  readonly prints?: readonly string[];
};
