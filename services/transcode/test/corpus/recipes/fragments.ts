/** Fragmented mp4 as recorders, packagers and browsers write it. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { h264Ahead, hevc, renderClip, smallClip } from '../generators/clip.ts';
import { boxesOf, boxOf, fullBox, readBoxes, writeBoxes, type Box } from '../generators/mp4-boxes.ts';
import type { RecipeContext, Recipe } from './recipe.ts';

/** Where each header of version 0 keeps its duration. */
const durations: Readonly<Record<string, number>> = { mvhd: 16, tkhd: 20, mdhd: 16, mehd: 4 };

const whole = 'frag_keyframe+empty_moov+default_base_moof';

export const fragmentRecipes: readonly Recipe[] = [
  {
    ...recipe('every duration unknown', whole, {
      change: (boxes) => setDurations(setFragmentsDuration(boxes, 0), 0xffff_ffff),
    }),
    usual: true,
  },
  recipe('every duration zero', whole, { change: (boxes) => setDurations(boxes, 0) }),
  recipe('H.265, durations unknown', whole, {
    coder: [...hevc('keyint=12', 'bframes=3'), '-tag:v', 'hvc1'],
    change: (boxes) => setDurations(boxes, 0xffff_ffff),
  }),
  recipe('without an index of fragments', whole, { change: (boxes) => boxes.filter(({ type }) => type !== 'mfra') }),
  recipe('with one index of segments', `${whole}+global_sidx`),
  recipe('with an index before every segment', `${whole}+dash`),
  recipe('one fragment for every few pictures', 'empty_moov+default_base_moof', { file: ['-frag_duration', '100000'] }),
  { ...recipe('one fragment a picture', `${whole}+frag_every_frame`, { mute: true }), expect: { sound: null } },
  {
    ...recipe('one fragment a packet, with sound', 'frag_every_frame+empty_moov', { inOrder: true }),
    name: 'fragments of equal decode times are one recording: one fragment a packet',
    usual: true,
  },
  recipe('the first fragment in the index itself', 'frag_keyframe'),
  recipe('a fragment for each track', 'frag_keyframe+empty_moov+separate_moof'),
  recipe('an index that was delayed', 'frag_keyframe+delay_moov'),
  recipe('common media application format', 'cmaf+frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets'),
  recipe('offsets from the beginning of the file', 'frag_keyframe+empty_moov+omit_tfhd_offset'),
  recipe('without decode times', whole, { change: (boxes) => blank(boxes, 'tfdt') }),
  recipe('with padding between fragments', whole, {
    change: (boxes) =>
      boxes.flatMap((box) =>
        box.type === 'moof'
          ? [{ type: 'free', body: Buffer.alloc(13) }, { type: 'uuid', body: Buffer.alloc(30, 9) }, box]
          : [box],
      ),
  }),
  recipe('a last fragment of unknown size', whole, {
    change: (boxes) => {
      const kept = boxes.slice(0, boxes.findLastIndex(({ type }) => type === 'mdat') + 1);
      const last = kept.at(-1);
      if (last) last.size = 'open';
      return kept;
    },
  }),
  recipe('the declared duration of fragments too short', whole, {
    change: (boxes) => setFragmentsDuration(boxes, boxOf(boxes, 'mvhd').body.readUInt32BE(12)),
  }),
];

function recipe(name: string, flags: string, options: Parameters<typeof fragmented>[2] = {}): Recipe {
  return {
    name: `a fragmented file plays whole: ${name}`,
    file: 'mp4',
    make: (context) => fragmented(context, flags, options),
  };
}

/** A clip in fragments of half a second. */
async function fragmented(
  { path, at, random }: RecipeContext,
  flags: string,
  {
    coder = h264Ahead('keyint=12'),
    file = [] as readonly string[],
    mute = false,
    // Packets of both tracks in the order of a file: an encoder of ffmpeg 7 delivers each track's whenever it has them.
    inOrder = false,
    change = undefined as ((boxes: Box[]) => Box[]) | undefined,
  } = {},
): Promise<void> {
  const fragments = ['-movflags', flags, ...file];
  const encoded = inOrder ? at('in-order.mp4') : path;
  await renderClip(encoded, smallClip(random, 3), coder, { mute, file: inOrder ? [] : fragments });
  if (inOrder) await ffmpeg('-i', encoded, '-c', 'copy', ...fragments, path);
  if (change) await writeFile(path, writeBoxes(change(readBoxes(await readFile(path)))));
}

function setDurations(boxes: Box[], value: number): Box[] {
  for (const [type, at] of Object.entries(durations))
    for (const { body } of boxesOf(boxes, type)) body.writeUInt32BE(value, at);
  return boxes;
}

/** Sets the total duration of all fragments in the index. */
function setFragmentsDuration(boxes: Box[], ticks: number): Box[] {
  boxOf(boxes, 'mvex').children?.unshift(fullBox('mehd', 0, ticks));
  return boxes;
}

/** Turns boxes into padding, in place. */
function blank(boxes: Box[], ...types: readonly string[]): Box[] {
  for (const box of types.flatMap((type) => boxesOf(boxes, type))) box.type = 'free';
  return boxes;
}
