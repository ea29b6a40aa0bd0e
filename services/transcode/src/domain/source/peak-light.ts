/** The brightest light of HDR pictures, in cd/m², which tone mapping brings down to the white of SDR. */

type SideData = { readonly [key: string]: unknown };

/** HLG is shown with it, and most pictures of PQ are mastered for it. */
const USUAL = 1_000;
/** The white of paper (ITU-R BT.2408), and the most that PQ can express. */
const [least, most] = [203, 10_000];

/**
 * Reads what the metadata of a stream, or of a picture, declares: the brightest pixel, where it was measured, else the
 * brightest that the mastering display could show.
 */
export function readPeakLight(sideData: readonly SideData[]): number | undefined {
  const values = (field: string): number[] => sideData.flatMap((data) => numberOf(data[field]) ?? []);
  return [...values('max_content'), ...values('max_luminance')].find((value) => value > 0);
}

/** A number, or a fraction such as `10000000/10000`. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const [over = Number.NaN, under = 1] = typeof value === 'string' ? value.split('/').map(Number) : [];
  return Number.isFinite(over / under) ? over / under : undefined;
}

/** The light that pictures are tone-mapped from; what a file declares may be nonsense. */
export function peakLight(declared: number | undefined): number {
  return Math.min(most, Math.max(least, declared ?? USUAL));
}
