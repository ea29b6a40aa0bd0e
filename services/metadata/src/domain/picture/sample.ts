/** Measurements of a tiny picture, of which four a second represent a video. */

/** Size of the tiny pictures: 8 bits of brightness for each, two planes of colour at half the size (yuv420p). */
export const SAMPLE_WIDTH = 160;
export const SAMPLE_HEIGHT = 90;
export const SAMPLES_PER_SECOND = 4;
const PIXELS = SAMPLE_WIDTH * SAMPLE_HEIGHT;
export const SAMPLE_BYTES = (PIXELS * 3) / 2;

export type Sample = {
  /** From the first picture of the video. */
  readonly atMs: number;
  /** The brightness of every pixel. */
  readonly luma: Uint8Array;
  /** Share of the pixels in each of the bins of brightness and colour; they add up to 1. */
  readonly colours: Float64Array;
  /** Mean brightness of each field of a coarse grid. */
  readonly layout: Float64Array;
  /** Mean brightness of every column. */
  readonly columns: Float64Array;
  /** Mean brightness, 16 for black. */
  readonly brightness: number;
  /** Mean difference of neighbouring pixels: low for a blurred picture. */
  readonly sharpness: number;
  /** Share of the pixels that are like their neighbours. */
  readonly flat: number;
};

/** Colours concentrate around 128, which is grey: bins are narrow there. */
const colourSteps = [104, 122, 134, 152];
const BRIGHTNESS_BINS = 6;
const colourBins = colourSteps.length + 1;
export const bins = BRIGHTNESS_BINS * colourBins * colourBins;

const binOfColour = Uint8Array.from(
  { length: 256 },
  (_bin, value) => colourSteps.filter((step) => value >= step).length,
);
const binOfBrightness = Uint8Array.from({ length: 256 }, (_bin, value) =>
  Math.max(0, Math.min(BRIGHTNESS_BINS - 1, Math.floor(((value - 16) * BRIGHTNESS_BINS) / 220))),
);

const FIELD = 10;
const FIELDS_ACROSS = SAMPLE_WIDTH / FIELD;

/** @param bytes one picture of `sampleBytes`; they are copied */
export function measureSample(atMs: number, bytes: Uint8Array): Sample {
  const luma = new Uint8Array(bytes.subarray(0, PIXELS));
  return { atMs, luma, colours: coloursOf(bytes), ...measureLuma(luma) };
}

function coloursOf(bytes: Uint8Array): Float64Array {
  const colours = new Float64Array(bins);
  const [across, down] = [SAMPLE_WIDTH / 2, SAMPLE_HEIGHT / 2];
  const share = 1 / (across * down);
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const luma = binOfBrightness[bytes[y * 2 * SAMPLE_WIDTH + x * 2] ?? 0] ?? 0;
      const blue = binOfColour[bytes[PIXELS + y * across + x] ?? 0] ?? 0;
      const red = binOfColour[bytes[PIXELS + across * down + y * across + x] ?? 0] ?? 0;
      const bin = (luma * colourBins + blue) * colourBins + red;
      colours[bin] = (colours[bin] ?? 0) + share;
    }
  return colours;
}

/** Sums over the brightness plane, in one pass. */
function measureLuma(luma: Uint8Array) {
  const layout = new Float64Array(FIELDS_ACROSS * (SAMPLE_HEIGHT / FIELD));
  const columns = new Float64Array(SAMPLE_WIDTH);
  let [sum, edges, flat] = [0, 0, 0];
  for (let y = 0; y < SAMPLE_HEIGHT; y++)
    for (let x = 0; x < SAMPLE_WIDTH; x++) {
      const at = y * SAMPLE_WIDTH + x;
      const value = luma[at] ?? 0;
      const step =
        Math.abs(value - (luma[x > 0 ? at - 1 : at] ?? 0)) +
        Math.abs(value - (luma[y > 0 ? at - SAMPLE_WIDTH : at] ?? 0));
      sum += value;
      edges += step;
      if (step <= 2) flat++;
      columns[x] = (columns[x] ?? 0) + value / SAMPLE_HEIGHT;
      const index = Math.floor(y / FIELD) * FIELDS_ACROSS + Math.floor(x / FIELD);
      layout[index] = (layout[index] ?? 0) + value / (FIELD * FIELD);
    }
  return { layout, columns, brightness: sum / PIXELS, sharpness: edges / PIXELS, flat: flat / PIXELS };
}

/** Half the sum of differences of two distributions: 0 for the same colours, 1 for no colour in common. */
export function colourDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let bin = 0; bin < a.length; bin++) sum += Math.abs((a[bin] ?? 0) - (b[bin] ?? 0));
  return sum / 2;
}

/** Share of the picture's fields that are clearly lighter or darker. */
export function changedShare(a: Sample, b: Sample): number {
  const all = changes(a, b);
  return all.filter((change) => change > 6).length / all.length;
}

/** Change of each field of two coarse grids, in steps of brightness. */
function changes(a: Sample, b: Sample): Float64Array {
  return a.layout.map((brightness, index) => Math.abs(brightness - (b.layout[index] ?? 0)));
}

/** The largest change of any field, in steps of brightness. */
export function largestChange(a: Sample, b: Sample): number {
  return Math.max(...changes(a, b));
}
