/** Readable cue times: never overlapping, with a short gap, extended into the silence that follows. */
import { widthOf } from './graphemes.ts';
import { LONGEST_MS, READABLE, SHORTEST_MS, type Cue } from './cues.ts';

/** Between cues, so that a viewer sees the change: two frames. */
export const GAP_MS = 80;
/** A cue stays at most this long after its last word. */
const LINGER_MS = 1_500;

export type CueLimit = {
  /** No cue ends after this point of the video. */
  readonly endMs: number;
  /** How far a cue may reach beyond its own words; 1.5 s unless given, 0 keeps it within them. */
  readonly lingerMs?: number;
};

/**
 * Gives every cue its time on the screen. A cue whose words leave it less than a second also gets the free time before
 * it; one for which there is no second at all (nonsense, or the video's end) keeps what there is, at least 1 ms.
 * @param cues in the order of their starts
 */
export function settleTimes(cues: readonly Cue[], { endMs: titleEnd, lingerMs = LINGER_MS }: CueLimit): Cue[] {
  const out: Cue[] = [];
  cues.forEach((cue, index) => {
    const before = out.at(-1)?.endMs;
    const startMs = Math.max(cue.startMs, before ?? 0);
    const next = cues[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const moved = { ...cue, startMs, endMs: Math.max(cue.endMs, startMs) };
    // The gap is omitted where it would make a cue shorter than a second.
    const room = next - startMs - GAP_MS >= SHORTEST_MS ? next - GAP_MS : next;
    const endMs = heldEnd(moved, Math.min(room, titleEnd), lingerMs);
    const earliest = before === undefined ? 0 : before + GAP_MS;
    const early = Math.max(earliest, endMs - SHORTEST_MS);
    const start = lingerMs > 0 && early < startMs && endMs - startMs < SHORTEST_MS ? early : startMs;
    out.push({ ...cue, startMs: start, endMs: Math.max(endMs, start + 1) });
  });
  return out;
}

/** The end of a cue that may last until `roomMs`. */
function heldEnd(cue: Cue, roomMs: number, lingerMs: number): number {
  const wanted = Math.max(cue.endMs, cue.startMs + readingMs(cue));
  const held = Math.min(wanted, cue.endMs + lingerMs, cue.startMs + LONGEST_MS);
  return Math.min(held, Math.max(roomMs, cue.startMs));
}

/** How long a viewer needs to read the cue. */
function readingMs({ lines }: Cue): number {
  return Math.min(
    LONGEST_MS,
    Math.max(SHORTEST_MS, (lines.reduce((sum, line) => sum + widthOf(line), 0) * 1_000) / READABLE),
  );
}
