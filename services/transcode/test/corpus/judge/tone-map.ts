/** How the patches of an HDR clip look in SDR, computed without any tool. */
type Colour = readonly [y: number, u: number, v: number];
type Rgb = readonly [red: number, green: number, blue: number];

/** The light of the clip's white, and the light that Hable's curve takes for 1, in cd/m². */
const [white, reference] = [203, 100];
/** Displays of SDR (ITU-R BT.1886). */
const GAMMA = 2.4;

/**
 * @param coded red, green and blue of the SDR picture that the clip was made from, 0 to 1
 * @param peak the brightest light of the source, in cd/m²
 * @returns limited-range BT.709
 */
export function toneMapped(coded: Rgb, peak: number): Colour {
  const light = coded.map((value) => (value ** GAMMA * white) / reference);
  const brightest = Math.max(...light, 1e-6);
  const scale = hable(brightest) / hable(peak / reference) / brightest;
  const [red = 0, green = 0, blue = 0] = light.map((value) => Math.min(1, value * scale) ** (1 / GAMMA));
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [16 + 219 * luma, 128 + (224 * (blue - luma)) / 1.8556, 128 + (224 * (red - luma)) / 1.5748];
}

/** The filmic curve by John Hable. */
function hable(light: number): number {
  const [a, b, c, d, e, f] = [0.15, 0.5, 0.1, 0.2, 0.02, 0.3];
  return (light * (light * a + b * c) + d * e) / (light * (light * a + b) + d * f) - e / f;
}
