/** Edit lists written by hand, and tracks that begin late. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { setEdits, type Edit } from '../generators/edit-lists.ts';
import { h264, h264Ahead, hevc, renderClip, smallClip } from '../generators/clip.ts';
import { boxOf, readBoxes, writeBoxes } from '../generators/mp4-boxes.ts';
import { playable, type RecipeContext, type Recipe } from './recipe.ts';

type Edits = { readonly vide?: readonly Edit[]; readonly soun?: readonly Edit[] };

const start = [{ seconds: 2.2, from: 0 }];
const middleOut = [
  { seconds: 1.2, from: 0 },
  { seconds: 1.4, from: 2.4 },
];

export const editRecipes: readonly Recipe[] = [
  playable(
    'an edit list that ends before the media does ends the video there: H.264 in mp4',
    'mp4',
    (context) => edited(context, { vide: start, soun: start }),
    { usual: true, expect: { frames: 55, seconds: 2.2 } },
  ),
  playable(
    'an edit list that ends before the media does ends the video there: H.265 in mov',
    'mov',
    (context) => edited(context, { vide: start }, [...hevc('keyint=250', 'bframes=4'), '-tag:v', 'hvc1']),
    { expect: { frames: 55, seconds: 2.2, sound: null } },
  ),
  playable(
    'an edit list that begins late and ends early shows what lies between: H.264 in mov',
    'mov',
    (context) => {
      const part = [{ seconds: 1.6, from: context.random.whole(20, 40) * 0.04 }];
      return edited(context, { vide: part, soun: part });
    },
    { expect: { frames: 40, seconds: 1.6 } },
  ),
  playable(
    'an edit list of two parts, the middle cut out, shows one after the other: H.264 in mp4',
    'mp4',
    (context) => edited(context, { vide: middleOut }, h264('keyint=250')),
    { usual: true, expect: { frames: 65, seconds: 2.6, sound: null } },
  ),
  {
    name: 'an edit list of two parts of pictures that refer to later ones shows every picture of both: H.264 in mp4',
    file: 'mp4',
    // ffmpeg waits at the seam for as long as pictures are reordered.
    make: (context) => edited(context, { vide: middleOut }),
    expect: { frames: 65, sound: null },
  },
  playable(
    'an edit list of two parts, the middle cut out, shows one after the other: H.264 in mov with sound',
    'mov',
    (context) => edited(context, { vide: middleOut, soun: middleOut }, h264('keyint=50')),
    { expect: { frames: 65, seconds: 2.6 } },
  ),
  playable(
    'an edit list that waits before it shows part of the media keeps sound in its place: H.264 in mp4',
    'mp4',
    (context) => {
      const late: Edit[] = [
        { seconds: 0.6, from: null },
        { seconds: 2, from: 1 },
      ];
      return edited(context, { vide: late, soun: [{ seconds: 2.6, from: 0 }] });
    },
    { expect: { frames: 50, seconds: 2.6 } },
  ),
  playable(
    'pictures that an empty edit delays are waited for while sound is heard: H.264 in mp4',
    'mp4',
    (context) => delayed(context, 'v', context.random.whole(3, 12) / 10, h264Ahead()),
    { usual: true },
  ),
  playable('pictures that an empty edit delays are waited for while sound is heard: H.265 in mov', 'mov', (context) =>
    delayed(context, 'v', 0.8, [...hevc('bframes=3'), '-tag:v', 'hvc1']),
  ),
  ...['mp4', 'mov'].map((file): Recipe => ({
    name: `a picture that is held where an edit list begins is shown from there on, and the next one in time: ${file}`,
    file,
    ...(file === 'mp4' ? { usual: true } : {}),
    make: (context) => trimmed(context, 3.5),
    expect: { heldStart: true, frames: 76, seconds: 5.5 },
  })),
  playable(
    'an edit list that begins in the middle of a picture shows the rest of it: one picture a second in mp4',
    'mp4',
    midPicture,
    { usual: true, expect: { heldStart: true, frames: 5, seconds: 4.5, sound: null } },
  ),
  {
    name: 'an edit list that begins before the first key picture lasts as long as it says: H.264 in mp4',
    file: 'mp4',
    usual: true,
    make: (context) => beforeKey(context),
    // The first picture that can be decoded is shown from the beginning on.
    expect: { begins: 0, frames: 50, seconds: 2.76, sound: null, decoderErrors: /./ },
  },
  playable('sound that an empty edit delays is waited for in silence: H.264 in mp4', 'mp4', (context) =>
    delayed(context, 'a', context.random.whole(3, 12) / 10, h264Ahead()),
  ),
  playable('sound that an empty edit delays is waited for in silence: H.264 in mov', 'mov', (context) =>
    delayed(context, 'a', 0.7, h264()),
  ),
];

/** A recording of a screen, with a picture that is held for four seconds, cut without encoding it again. */
async function trimmed({ path, at, random }: RecipeContext, from: number): Promise<void> {
  const whole = at(`whole.${path.split('.').at(-1)}`);
  await renderClip(whole, smallClip(random, 9, { rate: '25' }), h264('keyint=25'), {
    filters: ["select='lt(t,2.02)+gte(t,6)'"],
    file: ['-fps_mode', 'vfr'],
  });
  await ffmpeg('-ss', String(from), '-i', whole, '-c', 'copy', path);
}

/** One picture a second, and an edit list that begins in the middle of the first one. */
async function midPicture({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('whole.mp4'), smallClip(random, 5, { rate: '1' }), h264('keyint=1'), { mute: true });
  const boxes = readBoxes(await readFile(at('whole.mp4')));
  setEdits(boxes, 'vide', [{ seconds: 4.5, from: 0.5 }]);
  await writeFile(path, writeBoxes(boxes));
}

/** The first key picture of the index is shown 0.76 s after the edit begins. */
async function beforeKey({ path, at, random }: RecipeContext): Promise<void> {
  const whole = at('whole.mp4');
  await renderClip(whole, smallClip(random, 4, { rate: '25' }), h264('keyint=50', 'min-keyint=50'), { mute: true });
  const boxes = readBoxes(await readFile(whole));
  setEdits(boxes, 'vide', [{ seconds: 2.76, from: 1.24 }]);
  const keys = boxOf(boxes, 'stss');
  keys.body = Buffer.concat([keys.body.subarray(0, 4), Buffer.from([0, 0, 0, 1]), keys.body.subarray(12)]);
  await writeFile(path, writeBoxes(boxes));
}

/** One of the two tracks begins later. */
async function delayed({ path, at, random }: RecipeContext, late: 'v' | 'a', by: number, coder: readonly string[]) {
  const whole = at('whole.mkv');
  await renderClip(whole, smallClip(random, 3), coder, { tone: 3 });
  const maps = late === 'v' ? ['-map', '1:v', '-map', '0:a'] : ['-map', '0:v', '-map', '1:a'];
  await ffmpeg('-i', whole, '-itsoffset', String(by), '-i', whole, ...maps, '-c', 'copy', path);
}

/** Four seconds at 25 pictures a second, presented according to the edits. */
async function edited(
  { path, at, random }: RecipeContext,
  edits: Edits,
  coder: readonly string[] = h264Ahead('keyint=250'),
): Promise<void> {
  const whole = at(`whole.${path.split('.').at(-1)}`);
  await renderClip(whole, smallClip(random, 4, { rate: '25' }), coder, { mute: !edits.soun });
  const boxes = readBoxes(await readFile(whole));
  if (edits.vide) setEdits(boxes, 'vide', edits.vide);
  if (edits.soun) setEdits(boxes, 'soun', edits.soun);
  await writeFile(path, writeBoxes(boxes));
}
