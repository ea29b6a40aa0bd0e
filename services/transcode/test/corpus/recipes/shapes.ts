/** Sizes, rotations, fields and storage formats of pictures. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg, picture } from '../../clips.ts';
import {
  colours,
  h264,
  h264Ahead,
  hevc,
  pictures,
  renderClip,
  smallClip,
  vp9,
  av1,
  type Clip,
} from '../generators/clip.ts';
import { boxesOf, readBoxes, trackOf, writeBoxes } from '../generators/mp4-boxes.ts';
import { playable, type RecipeContext, type Expectation, type Patch, type Recipe } from './recipe.ts';

const muted = { sound: null } as const;

const low = { least: { one: 0.6, mean: 0.75 } } as const;
/** Of so few pixels a structure is hardly one. */
const blurred = { least: { one: -1, mean: -1 } } as const;
const rgb = ['-c:v', 'libx264rgb', '-preset', 'ultrafast'];
const inBand = ['-tag:v', 'avc3', '-bsf:v', 'dump_extra'];

export const shapeRecipes: readonly Recipe[] = [
  recipe('an odd size becomes even: 97x55', 'mp4', sized(97, 55, [...h264(), '-pix_fmt', 'yuv444p']), low, true),
  recipe('an odd size becomes even: VP9 of 131x75', 'webm', sized(131, 75, vp9), low),
  recipe(
    'an odd size becomes even: AV1 of 129x73',
    'mkv',
    sized(129, 73, ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8']),
    low,
  ),
  recipe('a tiny picture plays: 16x16', 'mp4', sized(16, 16, h264()), { corners: null, ...low }),
  recipe(
    'a picture smaller than a deinterlacer takes plays: 2x2',
    'mp4',
    tiny(2, 2),
    { corners: null, ...blurred },
    true,
  ),
  recipe('a picture smaller than a deinterlacer takes plays: 4x2', 'mkv', tiny(4, 2), { corners: null, ...blurred }),
  recipe('a picture smaller than a deinterlacer takes plays: 2x8', 'mp4', tiny(2, 8), { corners: null, ...blurred }),
  recipe('a tall picture plays: 54x180', 'mp4', sized(54, 180, h264Ahead()), { ...low }),
  recipe('a ribbon plays: 480x32', 'mp4', sized(480, 32, h264()), { corners: null, ...low }),
  turn('by a quarter to the right', [0, 1, -1, 0], around('grey', 'white', 'red', 'black'), true),
  turn('by half', [-1, 0, 0, -1], around('red', 'grey', 'black', 'white')),
  turn('by a quarter to the left', [0, -1, 1, 0], around('black', 'red', 'white', 'grey')),
  turn('mirrored from left to right', [-1, 0, 0, 1], around('black', 'white', 'red', 'grey')),
  turn('mirrored from top to bottom', [1, 0, 0, -1], around('grey', 'red', 'white', 'black')),
  recipe(
    'pixels that are not square become square: 4:3',
    'mp4',
    (context) => anamorphic(context, { width: 144, height: 108 }, '4/3'),
    {
      pixelAspect: 4 / 3,
    },
    true,
  ),
  recipe(
    'pixels that are not square become square: 16:11 in mkv',
    'mkv',
    (context) => anamorphic(context, { width: 176, height: 144 }, '16/11'),
    {
      pixelAspect: 16 / 11,
    },
  ),
  fields('tff', 'mkv'),
  fields('bff', 'mp4'),
  recipe('pictures of other pixel formats play: 4:2:2', 'mp4', stored('yuv422p', h264Ahead())),
  recipe('pictures of other pixel formats play: 4:4:4', 'mkv', stored('yuv444p', h264Ahead())),
  recipe('pictures of other pixel formats play: ten bits', 'mp4', stored('yuv420p10le', h264Ahead())),
  recipe(
    'pictures of other pixel formats play: ten bits of H.265',
    'mp4',
    stored('yuv420p10le', [...hevc(), '-tag:v', 'hvc1']),
  ),
  recipe(
    'pictures of other pixel formats play: ten bits of VP9',
    'webm',
    stored('yuv420p10le', [...vp9, '-profile:v', '2']),
  ),
  recipe('pictures of other pixel formats play: ten bits of AV1', 'mkv', stored('yuv420p10le', av1)),
  recipe('a size that changes in mid-stream plays on: mkv', 'mkv', resized(['192x108', '128x72']), {
    canvas: { width: 192, height: 108 },
    least: { one: 0.55, mean: 0.7 },
  }),
  recipe(
    'a size that grows in mid-stream has the largest rung of the size that lasts: mkv',
    'mkv',
    resized(['128x72', '192x108', '128x72']),
    { canvas: { width: 192, height: 108 }, least: { one: 0.55, mean: 0.7 } },
    true,
  ),
  recipe(
    'a picture that is turned in mid-stream keeps its shape, fitted inside the one that lasts longer: mkv',
    'mkv',
    resized(['160x120', '120x160', '160x120']),
    { canvas: { width: 160, height: 120 }, corners: null, least: { one: 0.55, mean: 0.7 } },
    true,
  ),
  recipe(
    'headers within the pictures alone suffice: avc3',
    'mp4',
    sized(128, 72, [...h264Ahead('keyint=20'), ...inBand]),
  ),
  recipe(
    'headers within the pictures alone suffice: hev1',
    'mp4',
    sized(128, 72, [...hevc('repeat-headers=1'), '-tag:v', 'hev1']),
  ),
  playable(
    'pictures of red, green and blue play: H.264',
    'mkv',
    ({ path, random }) => ffmpeg(...pictures(smallClip(random, 2)), ...rgb, '-pix_fmt', 'gbrp', path),
    { expect: { ...muted, rgb: true } },
  ),
  playable(
    'pictures without colour play: grey H.264',
    'mp4',
    ({ path, random }) =>
      ffmpeg(
        ...pictures(smallClip(random, 2)),
        ...colours(format('yuv420p'), ['hue=s=0', 'format=gray']),
        ...h264Ahead(),
        path,
      ),
    { expect: { ...muted, corners: null } },
  ),
];

function recipe(name: string, file: string, make: Recipe['make'], expect: Expectation = {}, usual?: true): Recipe {
  return { name, file, make, expect: { ...muted, ...expect }, ...(usual ? { usual } : {}) };
}

function sized(width: number, height: number, coder: readonly string[], seconds = 2): Recipe['make'] {
  return ({ path, random }) => renderClip(path, smallClip(random, seconds, { width, height }), coder, { mute: true });
}

/** Too small for the numbers and patches of a clip. */
function tiny(width: number, height: number): Recipe['make'] {
  return ({ path }) => ffmpeg(...picture(`${width}x${height}`, 25, 2), ...h264(), '-pix_fmt', 'yuv420p', path);
}

function format(name: string) {
  return { matrix: 'bt709', range: 'tv', format: name, tags: ['bt709', 'bt709', 'bt709'] } as const;
}

/** Pictures of another pixel format. */
function stored(pixels: string, coder: readonly string[], clip: Partial<Clip> = {}): Recipe['make'] {
  return ({ path, random }) =>
    renderClip(path, smallClip(random, 2, clip), [...coder, '-pix_fmt', pixels], {
      mute: true,
      colours: format(pixels),
    });
}

/** Replaces the identity display matrix: a b c d as integers. */
function turned([a, b, c, d]: readonly [number, number, number, number]): Recipe['make'] {
  return async ({ path, at, random }) => {
    const whole = at(`whole.${path.split('.').at(-1)}`);
    await renderClip(whole, smallClip(random, 2), h264Ahead());
    const boxes = readBoxes(await readFile(whole));
    const [header] = boxesOf([trackOf(boxes, 'vide')], 'tkhd');
    [a, b, 0, c, d, 0].forEach((value, index) => header?.body.writeInt32BE(value * 0x1_0000, 40 + index * 4));
    await writeFile(path, writeBoxes(boxes));
  };
}

function around(...corners: [Patch, Patch, Patch, Patch]): Expectation {
  return { corners };
}

function turn(
  name: string,
  matrix: readonly [number, number, number, number],
  expect: Expectation,
  usual?: true,
): Recipe {
  const make = turned(matrix);
  return {
    name: `a picture that is stored turned is upright: ${name}`,
    file: 'mp4',
    make,
    expect,
    ...(usual ? { usual } : {}),
  };
}

/** Fields of two moments in each picture. */
function fields(order: 'tff' | 'bff', file: string): Recipe {
  return {
    name: `interlaced pictures become whole ones, picture for picture: ${order} in ${file}`,
    file,
    make: ({ path, random }) =>
      renderClip(path, smallClip(random, 2, { rate: '50', height: 96, width: 160 }), h264(`${order}=1`), {
        mute: true,
        filters: [`tinterlace=interleave_${order === 'tff' ? 'top' : 'bottom'}`, `setfield=${order}`],
        file: ['-flags', '+ilme+ildct'],
      }),
    // What moves between two fields is half visible; the number of a picture is fully visible.
    expect: { ...muted, least: { one: 0.5, mean: 0.6 } },
  };
}

/** The size changes in mid-stream, as a recorder of screens or calls writes it. */
function resized(sizes: readonly string[]): Recipe['make'] {
  return async ({ path, at, random }) => {
    const clip = smallClip(random, 1.5, { rate: '25' });
    const coder = [...h264('keyint=25'), '-bsf:v', 'dump_extra'];
    const names: string[] = [];
    for (const size of sizes) {
      const [width = 0, height = 0] = size.split('x').map(Number);
      const name = `${names.length}.mkv`;
      await renderClip(at(name), { ...clip, width, height }, coder, { mute: true });
      names.push(name);
    }
    await writeFile(at('list.txt'), names.map((name) => `file '${name}'\n`).join(''));
    await ffmpeg('-f', 'concat', '-i', at('list.txt'), '-c', 'copy', path);
  };
}

/** Pixels that are not square. */
async function anamorphic({ path, random }: RecipeContext, clip: Partial<Clip>, aspect: string): Promise<void> {
  const filters = [`setsar=${aspect}`];
  await renderClip(path, smallClip(random, 2, clip), h264Ahead(), { mute: true, filters });
}
