/** Ranges, matrices and sizes above 720 lines: every video is in limited-range BT.709. */
import {
  av1,
  h264,
  h264Ahead,
  hevc,
  renderClip,
  smallClip,
  untagged,
  vp9,
  type Colours,
  type Clip,
} from '../generators/clip.ts';
import type { Expectation, Recipe } from './recipe.ts';

const pal: Colours = { ...untagged, tags: ['bt470bg', 'smpte170m', 'bt470bg'] };
const ntsc: Colours = { ...untagged, tags: ['smpte170m', 'smpte170m', 'smpte170m'] };
const full: Colours = { matrix: 'bt709', range: 'pc', format: 'yuvj420p', tags: ['bt709', 'bt709', 'bt709'] };
const wide: Colours = {
  matrix: 'bt2020',
  range: 'tv',
  format: 'yuv420p10le',
  tags: ['bt2020', 'bt2020-10', 'bt2020nc'],
};

type Shape = { readonly clip?: Partial<Clip>; readonly filters?: readonly string[]; readonly mute?: boolean };
const bt709: Colours = { ...full, range: 'tv', format: 'yuv420p' };
const plain: Colours = { ...bt709, tags: undefined };
/** As phones and screen recorders store SDR. */
const displayP3: Colours = { ...bt709, gamut: 'smpte432', tags: ['smpte432', 'bt709', 'bt709'] };
const constant: Colours = { ...wide, constantLuminance: true, tags: ['bt2020', 'bt2020-10', 'bt2020c'] };
const apple = ['-tag:v', 'hvc1'];
/** The red of SMPTE's primaries differs from BT.709's; showing it converted or not is right in both cases. */
const otherRed = { redSlack: 30 } as const;

export const colourRecipes: readonly Recipe[] = [
  coloured('1920x1080', 'mp4', h264Ahead(), bt709, { ...large(1_920, 1_080), mute: false }),
  coloured('1920x1080 in full range', 'mp4', h264(), full, { ...large(1_920, 1_080), usual: true }),
  coloured('1080x1920', 'mp4', h264Ahead(), bt709, large(1_080, 1_920)),
  coloured('1440x1080 of pixels 4:3', 'mov', h264(), bt709, {
    ...large(1_440, 1_080),
    filters: ['setsar=4/3'],
    expect: { pixelAspect: 4 / 3 },
  }),
  coloured('3840x2160', 'mp4', [...hevc(), ...apple], bt709, {
    clip: { width: 3_840, height: 2_160, rate: '10', seconds: 1 },
  }),
  coloured('1280x720', 'webm', vp9, bt709, large(1_280, 720)),
  coloured('854x480 in full range', 'mp4', h264Ahead(), full, large(854, 480)),
  coloured('854x480 in full range, H.265', 'mov', [...hevc(), ...apple], full, large(854, 480)),
  coloured('small pictures in full range', 'mp4', h264(), full),
  coloured('small pictures of PAL', 'mp4', h264Ahead(), pal, { usual: true }),
  coloured('640x480 of PAL', 'mkv', h264(), pal, large(640, 480)),
  coloured(
    'small pictures of PAL in full range',
    'mp4',
    h264Ahead(),
    { ...pal, range: 'pc', format: 'yuvj420p' },
    { usual: true },
  ),
  coloured('small pictures of NTSC', 'mov', h264(), ntsc, { expect: otherRed }),
  coloured('small pictures that declare nothing', 'mp4', h264(), untagged, { expect: otherRed }),
  coloured('640x480 that declares nothing', 'mkv', h264Ahead(), untagged, { ...large(640, 480), expect: otherRed }),
  coloured('small pictures that declare nothing, AV1', 'webm', av1, untagged, { expect: otherRed }),
  coloured('1280x720 that declares nothing', 'mp4', h264(), plain, large(1_280, 720)),
  coloured('608x1080 that declares nothing', 'mp4', h264(), plain, { ...large(608, 1_080), usual: true }),
  coloured('1280x536 that declares nothing', 'mkv', h264Ahead(), plain, large(1_280, 536)),
  coloured('BT.2020 in SDR', 'mp4', [...hevc(), ...apple], wide, { usual: true }),
  coloured('BT.2020 in SDR, VP9', 'webm', [...vp9, '-profile:v', '2'], wide),
  coloured('Display P3', 'mov', h264('crf=6'), displayP3, { usual: true, expect: { wideGamut: true } }),
  coloured('YCgCo', 'mp4', h264(), { ...bt709, matrix: 'ycgco', tags: ['bt709', 'bt709', 'ycgco'] }),
  coloured('BT.2020 of constant luminance', 'mp4', [...hevc('crf=6'), ...apple], constant, { usual: true }),
];

function large(width: number, height: number, rate = '24'): Shape {
  return { clip: { width, height, rate, seconds: 1 } };
}

function coloured(
  name: string,
  file: string,
  coder: readonly string[],
  colours: Colours,
  {
    expect = {} as Expectation,
    usual = false,
    clip = {},
    filters = [],
    mute = true,
  }: Shape & {
    readonly expect?: Expectation;
    readonly usual?: boolean;
  } = {},
): Recipe {
  const { matrix, range } = colours;
  return {
    name: `colours are right in every rung: ${name}`,
    file,
    make: ({ path, random }) =>
      renderClip(path, smallClip(random, clip.seconds ?? 1.5, clip), [...coder, '-pix_fmt', colours.format], {
        mute,
        colours,
        filters,
      }),
    expect: { matrix, range, ...(mute ? { sound: null } : {}), ...expect },
    ...(usual ? { usual: true as const } : {}),
  };
}
