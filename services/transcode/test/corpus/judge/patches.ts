/** Checks that white, black, grey and red are unchanged, and equal in every rung. */
import type { DecodedPictures } from './decode.ts';
import type { Expectation, Patch } from '../recipes/recipe.ts';
import type { ComparedRung } from './rung.ts';
import { toneMapped } from './tone-map.ts';

type Colour = readonly [y: number, u: number, v: number];

type Patches = Readonly<Record<Patch, Colour>>;

/** BT.709 in limited range. */
const rightOfSdr: Patches = {
  white: [235, 128, 128],
  black: [16, 128, 128],
  grey: [126, 128, 128],
  red: [63, 102, 240],
};
const usualCorners = ['white', 'black', 'grey', 'red'] as const;
/** Tolerance for the quantisation of a flat field. */
const SLACK = 3;
/** Red passes through subsampling and two matrices. */
const USUAL_RED_SLACK = 6;
const APART = 2;
/** Below this, patches have too few pixels for a flat middle. */
const MIN_SIDE = 40;

type Found = readonly { readonly name: string; readonly colours: readonly Colour[] }[];

export function judgePatches(rungs: readonly ComparedRung[], expected: Expectation): string[] {
  const { corners = usualCorners, redSlack = USUAL_RED_SLACK } = expected;
  const right = rightOf(expected);
  if (corners === null) return [];
  const found = rungs
    .filter(({ made }) => Math.min(made.width, made.height) >= MIN_SIDE)
    .map(({ name, made }) => ({ name, colours: corners.map((_patch, corner) => cornerOf(made, corner)) }));
  const wrong = found.flatMap(({ name, colours }) =>
    colours.flatMap((colour, corner) => {
      const patch = corners[corner] ?? 'white';
      const off = right[patch].map((value, plane) => Math.abs(value - (colour[plane] ?? 0)));
      const most = patch === 'red' ? redSlack : SLACK;
      const plain = `${name}: ${patch} is ${readable(colour)}`;
      return Math.max(...off) > most ? [`${plain}, not ${readable(right[patch])}`] : [];
    }),
  );
  return [...wrong, ...judgeAlike(found, corners)];
}

function rightOf({ hdr = false, peakLight = 1_000 }: Expectation): Patches {
  if (!hdr) return rightOfSdr;
  const shown = (red: number, green = red, blue = red): Colour => toneMapped([red, green, blue], peakLight);
  return { white: shown(1), black: shown(0), grey: shown(128 / 255), red: shown(1, 0, 0) };
}

/** Mean colour of the middle of a corner's patch, over the first, the middle and the last picture. */
function cornerOf({ pictures, width, height }: DecodedPictures, corner: number): Colour {
  const [column, row] = [corner % 2, Math.floor(corner / 2)];
  const chosen = [0, pictures.length >> 1, pictures.length - 1].flatMap((index) => pictures[index] ?? []);
  // The patch is a fifth wide and a quarter high, or vice versa in turned pictures: a sixth lies in both.
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const planes = [
    { from: 0, width, height },
    { from: width * height, width: across, height: down },
    { from: width * height + across * down, width: across, height: down },
  ];
  const colour = planes.map((plane) => {
    const left = Math.round(plane.width * (column === 0 ? 0.05 : 0.87));
    const top = Math.round(plane.height * (row === 0 ? 0.05 : 0.87));
    const [wide, high] = [Math.max(1, Math.floor(plane.width * 0.08)), Math.max(1, Math.floor(plane.height * 0.08))];
    let [sum, count] = [0, 0];
    for (const picture of chosen)
      for (let y = top; y < top + high; y++)
        for (let x = left; x < left + wide; x++, count++) sum += picture[plane.from + y * plane.width + x] ?? 0;
    return sum / count;
  });
  return [colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0];
}

function readable(colour: Colour): string {
  return colour.map((value) => value.toFixed(0)).join('/');
}

/** Players switch rungs during playback, which must not be visible in the colours. */
function judgeAlike(found: Found, corners: readonly Patch[]): string[] {
  return corners.flatMap((patch, corner) => {
    const lumas = found.map(({ colours }) => colours[corner]?.[0] ?? 0);
    const [least, most] = [Math.min(...lumas), Math.max(...lumas)];
    return most - least > APART ? [`${patch} is from ${least.toFixed(0)} to ${most.toFixed(0)} between rungs`] : [];
  });
}
