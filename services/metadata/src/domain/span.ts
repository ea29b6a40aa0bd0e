/** A video is analyzed in spans, each a job of its own: memory and scratch are bounded by one span. */

/** Milliseconds from the first picture; the end is not part of it. */
export type Span = { readonly startMs: number; readonly endMs: number };

/** Length of a span; the last one takes up to half as much again. */
const SPAN_MS = 300_000;

/** Span `index` of a video; the last one ends with the video. */
export function spanAt(durationMs: number, index: number): Span {
  return {
    startMs: index * SPAN_MS,
    endMs: index === spanCount(durationMs) - 1 ? Math.max(durationMs, index * SPAN_MS + 1) : (index + 1) * SPAN_MS,
  };
}

/** How many spans a video of this length has; at least one. */
export function spanCount(durationMs: number): number {
  return Math.max(1, Math.round(durationMs / SPAN_MS));
}

export function lengthOf({ startMs, endMs }: Span): number {
  return endMs - startMs;
}

export function middleOf({ startMs, endMs }: Span): number {
  return (startMs + endMs) / 2;
}

/** The length of what two spans have in common; negative for the gap between them. */
export function overlapOf(a: Span, b: Span): number {
  return Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
}

/** Those whose time lies in the span. */
export function within<T extends { readonly atMs: number }>({ startMs, endMs }: Span, all: readonly T[]): T[] {
  return all.filter(({ atMs }) => atMs >= startMs && atMs < endMs);
}

/** The span without any other properties of the value. */
export function spanOf({ startMs, endMs }: Span): Span {
  return { startMs, endMs };
}
