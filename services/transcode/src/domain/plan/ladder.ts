/** Which renditions a source gets: never larger than itself, square pixels, even sizes, at least one for any size. */

export type Rung = {
  /** Unique in its ladder, and a folder's name: `720p`. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Peak rate of the rate control, bits a second. */
  readonly maxRate: number;
  /** H.264 level, as x264 takes it: `4.1`. */
  readonly level: string;
};

export type Picture = {
  /** Upright size in square pixels. */
  readonly width: number;
  readonly height: number;
  /** Frames a second, at most 60. */
  readonly frameRate: number;
};

/** Short sides; the operator names the largest one. */
export const standardSides = [2_160, 1_440, 1_080, 720, 480, 360, 240] as const;
export const USUAL_LARGEST = 1_080;
const MAX_OUTPUT_SIDE = 4_096;
/** The source's own size joins the ladder when it is this much larger than the largest standard size below it. */
const WORTH_ITS_OWN = 1.1;
/** Of two rungs closer than this, one is redundant. */
const TOO_CLOSE = 1.25;

/**
 * Levels of H.264 (ITU-T H.264 table A-1): macroblocks a second, macroblocks a frame, bits a second in High profile.
 */
const levels: readonly (readonly [name: string, perSecond: number, perFrame: number, maxRate: number])[] = [
  ['1.1', 3_000, 396, 240_000],
  ['1.2', 6_000, 396, 480_000],
  ['1.3', 11_880, 396, 960_000],
  ['2.1', 19_800, 792, 5_000_000],
  ['2.2', 20_250, 1_620, 5_000_000],
  ['3.0', 40_500, 1_620, 12_500_000],
  ['3.1', 108_000, 3_600, 17_500_000],
  ['3.2', 216_000, 5_120, 25_000_000],
  ['4.0', 245_760, 8_192, 25_000_000],
  ['4.2', 522_240, 8_704, 62_500_000],
  ['5.0', 589_824, 22_080, 168_750_000],
  ['5.1', 983_040, 36_864, 300_000_000],
  ['5.2', 2_073_600, 36_864, 300_000_000],
];

/** Largest rung first; never empty. */
export type Ladder = readonly [Rung, ...Rung[]];

/**
 * The ladder of a picture.
 * @param largest short side of the largest rung, in pixels
 */
export function planLadder(picture: Picture, largest = USUAL_LARGEST): Ladder {
  const short = Math.min(picture.width, picture.height);
  // A very long side is reduced first; the ladder follows the other one.
  const bound = Math.min(1, MAX_OUTPUT_SIDE / Math.max(picture.width, picture.height));
  const [top, ...rest] = sidesFor(short * bound, largest);
  return [rungOf(picture, top / short), ...rest.map((side) => rungOf(picture, side / short))];
}

function sidesFor(short: number, most: number): [number, ...number[]] {
  const own = Math.min(short, most);
  const fitting: number[] = standardSides.filter((side) => side <= own);
  const [largest] = fitting;
  const top = largest === undefined || own / largest >= WORTH_ITS_OWN ? own : largest;
  return [top, ...fitting.filter((side) => top / side >= TOO_CLOSE)];
}

function rungOf({ width, height, frameRate }: Picture, scale: number): Rung {
  const size = { width: even(width * scale, width), height: even(height * scale, height) };
  const maxRate = maxRateOf(size.width, size.height, frameRate);
  return {
    name: `${Math.min(size.width, size.height)}p`,
    ...size,
    maxRate,
    level: levelOf(size.width, size.height, frameRate, maxRate),
  };
}

/** The nearest even length that does not exceed the source's own. */
function even(length: number, atMost: number): number {
  return Math.max(2, Math.min(2 * Math.round(length / 2), atMost - (atMost % 2)));
}

/** Bits a second that a size may peak at: 5 Mb/s for 1080p30, less than proportional to pixels and to frames. */
export function maxRateOf(width: number, height: number, frameRate: number): number {
  const size = ((width * height) / (1_920 * 1_080)) ** 0.75;
  const speed = Math.max(1, frameRate / 30) ** 0.5;
  return Math.max(100_000, Math.round((5_000_000 * size * speed) / 10_000) * 10_000);
}

/** The lowest level that a decoder needs for this size and rate. */
export function levelOf(width: number, height: number, frameRate: number, maxRate: number): string {
  const across = Math.ceil(width / 16);
  const down = Math.ceil(height / 16);
  const fits = levels.find(
    ([, perSecond, perFrame, rate]) =>
      across * down <= perFrame &&
      Math.max(across, down) ** 2 <= 8 * perFrame &&
      across * down * Math.ceil(frameRate) <= perSecond &&
      maxRate <= rate,
  );
  return fits?.[0] ?? '5.2';
}
