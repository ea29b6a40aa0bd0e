/** HDR10, HLG and Dolby Vision: every video is in SDR, whatever declares how bright its source is. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { av1, bt709, h264, hevc, renderClip, smallClip, type Clip, type Colours } from '../generators/clip.ts';
import { profile5Additions } from '../generators/dolby-vision-additions.ts';
import { addUnits } from '../generators/nal-units.ts';
import { addToEntry, dolbyVision, masteringDisplay } from '../generators/sample-entry.ts';
import type { Box } from '../generators/mp4-boxes.ts';
import { playable, type Recipe, type RecipeContext, type Rejection } from './recipe.ts';

const wide = { matrix: 'bt2020', range: 'tv', format: 'yuv420p10le' } as const;
const pq: Colours = { ...wide, hdr: 'smpte2084', tags: ['bt2020', 'smpte2084', 'bt2020nc'] };
const hlg: Colours = { ...wide, hdr: 'arib-std-b67', tags: ['bt2020', 'arib-std-b67', 'bt2020nc'] };
/** As receivers that do not know HLG understand it. */
const hlgAsSdr: Colours = { ...hlg, tags: ['bt2020', 'bt2020-10', 'bt2020nc'] };

/** Fine: errors of a level in dark PQ are visible once it is tone-mapped. */
const fine = [...hevc('crf=6'), '-tag:v', 'hvc1'];
const fineAv1 = [...av1, '-crf', '8'];
/** Green and blue of BT.709's red are close to zero, where coding errors are magnified. */
const hdr = { matrix: 'bt2020', hdr: true, redSlack: 8, sound: null } as const;
const display = 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)';

const fullHd = { width: 1_920, height: 1_080, rate: '24', seconds: 1 } as const;

type Shape = {
  readonly usual?: boolean;
  readonly light?: number;
  readonly boxes?: Boxes;
  readonly size?: Partial<Clip>;
};
type Boxes = { readonly box: Box; readonly name?: string };

export const dynamicRangeRecipes: readonly Recipe[] = [
  bright('HDR10', 'mp4', fine, pq, { usual: true }),
  bright('HDR10, AV1', 'mkv', fineAv1, pq),
  bright('HLG', 'mov', fine, hlg, { usual: true }),
  bright('HLG, AV1', 'mp4', fineAv1, hlg),
  bright(
    'HDR10 that declares 4,000 cd/m² in its pictures',
    'mp4',
    [...hevc('crf=6', `master-display=${display}`, 'max-cll=0,0'), '-tag:v', 'hvc1'],
    pq,
    {
      light: 4_000,
    },
  ),
  bright('HDR10 that declares 4,000 cd/m² in its container', 'mp4', fine, pq, {
    usual: true,
    light: 4_000,
    boxes: { box: masteringDisplay(4_000) },
  }),
  bright('Dolby Vision 8.1', 'mp4', fine, pq, { boxes: { box: dolbyVision(8, 1) } }),
  bright(
    'Dolby Vision 8.1 whose pictures declare nothing',
    'mp4',
    fine,
    { ...pq, tags: undefined },
    {
      usual: true,
      boxes: { box: dolbyVision(8, 1) },
    },
  ),
  bright('Dolby Vision 8.4 whose pictures are declared as SDR', 'mov', fine, hlgAsSdr, {
    usual: true,
    boxes: { box: dolbyVision(8, 4) },
  }),
  bright('Dolby Vision 7', 'mp4', fine, pq, { boxes: { box: dolbyVision(7, 6) } }),
  bright('Dolby Vision 10.1', 'mp4', fineAv1, pq, { boxes: { box: dolbyVision(10, 1) } }),
  playable(
    'colours are right in every rung: SDR in H.264 with a left-over record of Dolby Vision 5',
    'mp4',
    clipWith(h264(), bt709, { box: dolbyVision(5, 0) }),
    { expect: { sound: null } },
  ),
];

/** As phones record it: where memory is short, an encoder of these needs the most of it. */
export const largeRecipes: readonly Recipe[] = [
  bright('HDR10 of 1080p', 'mp4', fine, pq, { usual: true, size: fullHd }),
  bright('HLG of 1080p', 'mov', fine, hlg, { size: fullHd }),
];

/** Files whose base layer only Dolby Vision players show in its colours. */
export const dolbyVisionRejections: readonly Rejection[] = [
  { ...incompatible('5', 'mp4', clipWith(fine, pq, { box: dolbyVision(5, 0), name: 'dvh1' })), usual: true },
  incompatible('5 in Matroska', 'mkv', inMatroska),
  { ...incompatible('5 without its record', 'mp4', withoutRecord), usual: true },
  { ...incompatible('10.0', 'mp4', clipWith(fineAv1, pq, { box: dolbyVision(10, 0), name: 'dav1' })), usual: true },
  incompatible('10.0 as plain AV1', 'mp4', clipWith(fineAv1, pq, { box: dolbyVision(10, 0) })),
];

function bright(
  name: string,
  file: string,
  coder: readonly string[],
  colours: Colours,
  { usual = false, light, boxes, size }: Shape = {},
): Recipe {
  return {
    name: `colours are right in every rung: ${name}`,
    file,
    make: clipWith(coder, colours, boxes, size),
    expect: { ...hdr, warning: 'high_dynamic_range', ...(light === undefined ? {} : { peakLight: light }) },
    ...(usual ? { usual: true as const } : {}),
  };
}

function incompatible(name: string, file: string, make: Rejection['make']): Rejection {
  return { name: `Dolby Vision ${name}`, file, make, codes: ['dolby_vision_unsupported'] };
}

/** A mute clip, whose sample entry gets a box more. */
function clipWith(coder: readonly string[], colours: Colours, added?: Boxes, size: Partial<Clip> = {}): Recipe['make'] {
  return async ({ path, at, random }) => {
    const plain = added ? at('plain.mp4') : path;
    await renderClip(plain, smallClip(random, 2, size), [...coder, '-pix_fmt', colours.format], {
      mute: true,
      colours,
    });
    if (added) await addToEntry(plain, path, added.box, added.name);
  };
}

async function inMatroska(context: RecipeContext): Promise<void> {
  await clipWith(fine, pq, { box: dolbyVision(5, 0) })({ ...context, path: context.at('recorded.mp4') });
  await ffmpeg('-i', context.at('recorded.mp4'), '-c', 'copy', '-strict', 'unofficial', context.path);
}

/** Profile 5 as tools write it that do not know Dolby Vision: recognisable only by what accompanies its pictures. */
async function withoutRecord({ path, at, random }: RecipeContext): Promise<void> {
  const raw = at('raw.hevc');
  const clip = smallClip(random, 2, { rate: '25' });
  await renderClip(raw, clip, hevc('bframes=0', 'aud=1'), { mute: true, colours: pq, file: ['-f', 'hevc'] });
  await writeFile(raw, addUnits(await readFile(raw), 'hevc', profile5Additions));
  await ffmpeg('-r', clip.rate, '-i', raw, '-c', 'copy', '-tag:v', 'hvc1', path);
}
