/** A title is looked at in spans, each a unit of work of its own: memory and scratch are bounded by one span. */

/** Milliseconds from the first picture; the end is not part of it. */
export type Span = { readonly startMs: number; readonly endMs: number };

/** Length of a span; the last one takes up to half as much again. */
const spanMs = 300_000;

/** Span `index` of a title; the last one ends with the title. */
export function spanAt(durationMs: number, index: number): Span {
  return {
    startMs: index * spanMs,
    endMs: index === spanCount(durationMs) - 1 ? Math.max(durationMs, index * spanMs + 1) : (index + 1) * spanMs,
  };
}

/** How many spans a title of this length has; at least one. */
export function spanCount(durationMs: number): number {
  return Math.max(1, Math.round(durationMs / spanMs));
}
