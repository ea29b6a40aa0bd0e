/**
 * The grid of time that segments start on. Pictures that are held across it, such as those of a screen on which nothing
 * moves, are repeated on it, so that no segment lasts much longer than the others.
 */

export const SEGMENT_SECONDS = 6;
/** Seconds. Pictures that follow each other faster are not held. */
const MIN_HOLD = 1;
/** A picture this soon after a segment's nominal start starts it by itself. */
const SOON = 0.5;
/** A picture this shortly before a segment's nominal start counts as on it. */
const SHORTLY_BEFORE = 0.02;

/**
 * When pictures of a piece are repeated, in seconds of the video.
 * @param times when its pictures are shown, rising
 * @param until when the next piece's first picture is shown, or the video ends
 */
export function repeatTimes(times: Float64Array, until: number): number[] {
  const repeats: number[] = [];
  const first = times[0] ?? until;
  let index = 0;
  for (let cell = Math.floor(first / SEGMENT_SECONDS) + 1; cell * SEGMENT_SECONDS < until; cell++) {
    const at = cell * SEGMENT_SECONDS;
    while ((times[index] ?? until) < at - SHORTLY_BEFORE) index++;
    const [before = first, after = until] = [times[index - 1], times[index]];
    if (after - before > MIN_HOLD && after - at > SOON) repeats.push(at);
  }
  return repeats;
}

/**
 * The filters that repeat pictures, as lines of a graph from `[shown]` to `[repeated]`: a strip with its own clock is
 * stacked below the picture and cut off again, so that the picture also appears at the clock's times.
 */
export function repeatFilters(
  repeats: readonly number[],
  { width, height }: { width: number; height: number },
): string[] {
  const [begin = 0, end = begin] = [repeats[0], repeats.at(-1)];
  const cells = Math.round((end - begin) / SEGMENT_SECONDS) + 1;
  const numbers = repeats.map((time) => Math.round((time - begin) / SEGMENT_SECONDS));
  // The strip must be there before the first picture: a tick more, long ago.
  const chosen = ['eq(n,0)', ...runsOf(numbers).map(([from, to]) => `between(n,${from + 1},${to + 1})`)].join('+');
  const clock = [
    `color=c=black:s=${width}x2:r=1/${SEGMENT_SECONDS}:d=${(cells + 1) * SEGMENT_SECONDS}`,
    `select='${chosen}'`,
    'settb=1/90000',
    `setpts='if(N,PTS+${Math.round((begin - SEGMENT_SECONDS) * 90_000)},-1e10)'`,
    'format=yuv420p',
  ];
  return [`${clock.join(',')}[clock]`, `[shown][clock]vstack,crop=w=${width}:h=${height}:x=0:y=0[repeated]`];
}

/** Runs of numbers that follow each other. */
function runsOf(numbers: readonly number[]): (readonly [from: number, to: number])[] {
  const runs: [number, number][] = [];
  for (const value of numbers) {
    const open = runs.at(-1);
    if (open && open[1] === value - 1) open[1] = value;
    else runs.push([value, value]);
  }
  return runs;
}
