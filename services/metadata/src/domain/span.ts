/** A video is analyzed in spans, each a job of its own: memory and scratch are bounded by one span. */

/** Milliseconds from the first picture; the end is not part of it. */
export type Span = { readonly startMs: number; readonly endMs: number };

/** Length of a span; the last one takes up to half as much again. */
const spanMs = 300_000;

/** Span `index` of a video; the last one ends with the video. */
export function spanAt(durationMs: number, index: number): Span {
  return {
    startMs: index * spanMs,
    endMs: index === spanCount(durationMs) - 1 ? Math.max(durationMs, index * spanMs + 1) : (index + 1) * spanMs,
  };
}

/** How many spans a video of this length has; at least one. */
export function spanCount(durationMs: number): number {
  return Math.max(1, Math.round(durationMs / spanMs));
}
