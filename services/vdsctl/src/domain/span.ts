/** Spans of time for people. */

/** Milliseconds in the largest unit that says enough: `38 s`, `4 min`, `2 h 5 min`, `3 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${seconds} s`;
  if (minutes < 90) return `${minutes} min`;
  if (minutes < 36 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(minutes / 1_440)} d`;
}
