/** Readable cue times: never overlapping, with a short gap, extended into the silence that follows. */
import { widthOf } from './graphemes.ts';
import { MAX_MS, READABLE, MIN_MS, type Cue } from './cues.ts';

/** Between cues, so that a viewer sees the change: two frames. */
const GAP_MS = 80;
/** A shorter gap is closed to two frames: it would flicker. */
const MAX_FLICKER_MS = 500;
/** A cue of spoken words stays at most this long after its last one. */
export const LINGER_MS = 1_500;

/**
 * Gives every cue its time on the screen. A cue whose words leave it less than a second also gets the free time before
 * it; one for which there is no second at all (impossible times, or the video's end) keeps what there is, at least 1 ms.
 * @param cues in the order of their starts
 * @param videoEndMs no cue ends after it
 * @param lingerMs how far a cue may reach beyond its own words
 */
export function setCueTimes(cues: readonly Cue[], videoEndMs: number, lingerMs: number): Cue[] {
  const out: Cue[] = [];
  cues.forEach((cue, index) => {
    const before = out.at(-1)?.endMs;
    const startMs = Math.max(cue.startMs, before ?? 0);
    const next = cues[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const moved = { ...cue, startMs, endMs: Math.max(cue.endMs, startMs) };
    // The gap is omitted where it would make a cue shorter than a second.
    const latestMs = next - startMs - GAP_MS >= MIN_MS ? next - GAP_MS : next;
    const endMs = extendedEnd(moved, Math.min(latestMs, videoEndMs), lingerMs);
    const earliest = before === undefined ? 0 : before + GAP_MS;
    const early = Math.max(earliest, endMs - MIN_MS);
    const start = lingerMs > 0 && early < startMs && endMs - startMs < MIN_MS ? early : startMs;
    out.push({ ...cue, startMs: start, endMs: Math.max(endMs, start + 1) });
  });
  return out;
}

/** The end of a cue that may last until `latestMs`. */
function extendedEnd(cue: Cue, latestMs: number, lingerMs: number): number {
  const wanted = Math.max(cue.endMs, cue.startMs + readingMs(cue));
  const extended = Math.min(wanted, cue.endMs + lingerMs, cue.startMs + MAX_MS);
  const closed = lingerMs > 0 && latestMs - extended < MAX_FLICKER_MS - GAP_MS ? latestMs : extended;
  return Math.min(closed, cue.startMs + MAX_MS, Math.max(latestMs, cue.startMs));
}

/** How long a viewer needs to read the cue. */
function readingMs({ lines }: Cue): number {
  const columns = lines.reduce((sum, line) => sum + widthOf(line), 0);
  return Math.min(MAX_MS, Math.max(MIN_MS, Math.ceil((columns * 1_000) / READABLE)));
}
