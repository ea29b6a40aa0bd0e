/**
 * Edit lists that begin inside a picture which is held for long, as in a recording of a screen that was trimmed. Such a
 * picture is on from the edit's beginning; ffmpeg's demuxer hides it and moves all others forward into its place.
 */
import type { FrameScan } from './frame-scan.ts';

/** Seconds. A smaller displacement is neither seen nor heard. */
const NOTICEABLE = 0.1;

/** Whether the last hidden picture before the first shown one may have been held until then. */
export function mayBeginHeld({ times, hiddenBefore }: FrameScan): boolean {
  return hiddenBefore !== undefined && (times[0] ?? 0) - hiddenBefore > NOTICEABLE;
}

/**
 * The scan with the picture that is held at its beginning.
 * @param scan as the demuxer's edit list presents it
 * @param unedited the same packets without that edit list, whose times count from the edit's beginning
 * @param seconds that the edit lasts; undefined if the file does not declare it
 * @returns undefined if the two do not show the same pictures, or nothing noticeable is held
 */
export function withHeldStart(scan: FrameScan, unedited: FrameScan, seconds = Infinity): FrameScan | undefined {
  const begins = scan.times[0] ?? 0;
  const next = unedited.times.findIndex((time) => time > begins + 1e-6);
  const [held, second] = [unedited.times[next - 1], unedited.times[next]];
  const shown = unedited.times.slice(next, next + scan.times.length);
  if (held === undefined || second === undefined || shown.length < scan.times.length) return undefined;
  if (scan.hiddenInside || second - begins <= NOTICEABLE) return undefined;
  const last = shown.at(-1) ?? begins;
  const stored = scan.end - (scan.times.at(-1) ?? 0);
  return {
    ...scan,
    times: Float64Array.of(begins, ...shown),
    keys: unedited.keys,
    end: Math.max(last + 0.001, Math.min(last + stored, begins + seconds)),
    heldFrom: held,
  };
}
