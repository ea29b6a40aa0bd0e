/** Pictures of two fields: coded apart in packets of their own, or beginning late in a file. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { h264, hevc } from '../generators/clip.ts';
import { fieldCoded } from '../generators/field-coded.ts';
import { playable, type Recipe, type RecipeContext } from './recipe.ts';

const FIELD_PICTURES = 30;
/** What pictures say they are, whatever they are. */
type Marks = { readonly field: 'tff' | 'prog'; readonly options: readonly string[] };

const marked: Marks = { field: 'tff', options: ['-x264-params', 'log-level=error:tff=1', '-flags', '+ilme+ildct'] };
const unmarked: Marks = { field: 'prog', options: [] };
const size = '160x96';
/** A bar that moves fifty times a second. */
const bar = `color=black:s=${size}:r=50:d=1[b];color=white:s=24x64:r=50:d=1[w];[b][w]overlay=x='4+n*2':y=16`;
const colourTags = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];
// What moves between two fields is half visible.
const halfVisible = { sound: null, corners: null, least: { one: 0.5, mean: 0.6 } } as const;

export const fieldRecipes: readonly Recipe[] = [
  paff('mkv', true),
  paff('mp4'),
  ...['mkv', 'mp4'].map((file): Recipe => ({
    name: `two pictures of one field each are one picture: H.265 in ${file}`,
    file,
    ...(file === 'mp4' ? { usual: true } : {}),
    make: fieldsOfH265,
    expect: { ...halfVisible, frames: 25, seconds: 1, isFields: true, isCombed: () => true },
  })),
  playable(
    'interlaced pictures that follow whole ones become whole, and the others keep every line: H.264 in mkv',
    'mkv',
    async (context) => joined(context, [await whole(context), await interlaced(context)]),
    { usual: true, expect: { ...halfVisible, frames: 50, isCombed: (picture) => picture >= 25 } },
  ),
  playable(
    'whole pictures that follow interlaced ones keep every line: H.264 in mkv',
    'mkv',
    async (context) => joined(context, [await interlaced(context), await whole(context)]),
    { expect: { ...halfVisible, frames: 50, isCombed: (picture) => picture < 25 } },
  ),
  playable(
    'interlaced pictures that are not marked as such become whole: H.264 in mkv',
    'mkv',
    async (context) => joined(context, [await interlaced(context, unmarked)]),
    { usual: true, expect: { ...halfVisible, frames: 25, isCombed: () => true } },
  ),
  playable(
    'whole pictures that are marked as interlaced keep every line: H.264 in mkv',
    'mkv',
    async (context) => joined(context, [await whole(context, marked)]),
    { usual: true, expect: { ...halfVisible, frames: 25, isCombed: () => false } },
  ),
];

/** A broadcast of field-coded pictures, remuxed: its packets hold one field each. */
function paff(file: string, usual?: true): Recipe {
  return {
    name: `two packets of one field each are one picture: H.264 in ${file}`,
    file,
    make: async ({ path, at }) => {
      await writeFile(at('fields.h264'), fieldCoded(FIELD_PICTURES));
      await ffmpeg('-framerate', '25', '-f', 'h264', '-i', at('fields.h264'), '-c', 'copy', at('broadcast.ts'));
      await ffmpeg('-fflags', '+genpts', '-i', at('broadcast.ts'), '-c', 'copy', path);
    },
    expect: {
      warning: 'interlaced',
      ...halfVisible,
      frames: FIELD_PICTURES,
      seconds: FIELD_PICTURES / 25,
      matrix: 'bt601',
    },
    ...(usual ? { usual } : {}),
  };
}

/** A second of fields: H.265 knows no other interlaced pictures. */
async function fieldsOfH265({ path }: RecipeContext): Promise<void> {
  const fields = `${bar},tinterlace=interleave_top,setfield=tff,separatefields`;
  const coder = [...hevc('interlace=tff', 'keyint=20', 'bframes=4'), '-pix_fmt', 'yuv420p'];
  const tag = path.endsWith('mp4') ? ['-tag:v', 'hvc1'] : [];
  await ffmpeg('-filter_complex', fields, ...colourTags, ...coder, ...tag, path);
}

/** A second of whole pictures: a block of thin lines sinks, so that any loss of lines shows. */
async function whole({ at }: RecipeContext, marks: Marks = unmarked): Promise<string> {
  const block = "color=black:s=64x40:r=25:d=1,format=gray,geq=lum='if(mod(floor(Y/2),2),235,60)',format=yuv420p";
  await coded(at('whole.h264'), `color=gray:s=${size}:r=25:d=1[b];${block}[w];[b][w]overlay=x=48:y='4+n*2'`, marks);
  return at('whole.h264');
}

/** A second of pictures of two fields, between which a bar moves by more than a hair. */
async function interlaced({ at }: RecipeContext, marks: Marks = marked): Promise<string> {
  await coded(at('fields.h264'), `${bar},tinterlace=interleave_top`, marks);
  return at('fields.h264');
}

async function coded(path: string, graph: string, { field, options }: Marks): Promise<void> {
  const coder = [...h264(), '-pix_fmt', 'yuv420p', ...options];
  await ffmpeg('-filter_complex', `${graph},setfield=${field}`, ...colourTags, ...coder, path);
}

/** Elementary streams one after the other, 25 pictures a second. */
async function joined({ path, at }: RecipeContext, streams: readonly string[]): Promise<void> {
  await writeFile(at('all.h264'), Buffer.concat(await Promise.all(streams.map((stream) => readFile(stream)))));
  const times = ['-bsf:v', 'setts=ts=N*40:duration=40:time_base=1/1000,dump_extra'];
  await ffmpeg('-framerate', '25', '-i', at('all.h264'), '-c', 'copy', ...times, path);
}
