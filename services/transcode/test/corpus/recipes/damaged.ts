/** Damaged videos: truncated, overwritten, or with an index that does not match. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { boxes, elements, head, hole, noise, corruptClip, type CorruptOptions } from '../generators/damage.ts';
import { setEdits } from '../generators/edit-lists.ts';
import { av1, h264, h264Ahead, hevc, renderClip, smallClip, untagged, vp8, vp9 } from '../generators/clip.ts';
import { elementsOf, ids, without } from '../generators/matroska-elements.ts';
import { boxOf, fullBox, trackOf, type Box } from '../generators/mp4-boxes.ts';
import type { RecipeContext, Rejection } from './recipe.ts';

type Change = Parameters<typeof corruptClip>[1];

const front = { file: ['-movflags', 'faststart'] };
const fragments = { file: ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'], coder: h264Ahead('keyint=20') };
const opus = { sounds: ['-c:a', 'libopus'] };

/** Truncated after the header of a fragment's pictures. */
const inFragment: Change = (bytes) => bytes.subarray(0, bytes.lastIndexOf('mdat') + 200);
const betweenBoxes: Change = (bytes) => bytes.subarray(0, bytes.lastIndexOf('mdat') - 4);

const openEnd = boxes((all) => {
  for (const box of all) if (box.type === 'mdat') box.size = 'open';
  return ['ftyp', 'moov', 'mdat'].flatMap((type) => all.filter((box) => box.type === type));
});
const longSize = boxes((all) => {
  for (const box of all) if (box.type === 'mdat') box.size = 'long';
  return all;
});

const beyond = table('stco', ({ body }) => {
  for (let at = 8; at + 4 <= body.length; at += 4) body.writeUInt32BE(0x7000_0000 + at, at);
});
const absurd = table('stsz', ({ body }) => {
  for (let at = 12; at + 4 <= body.length; at += 4) body.writeUInt32BE(0x3fff_ff00, at);
});
const countless = table('stsz', ({ body }) => body.writeUInt32BE(0xffff_fff0, 8));
/** Seven hundred pictures in three seconds, each of which is all of the media. */
const overlapping = boxes((all) => {
  const { body, origin = 0 } = boxOf(all, 'mdat');
  const table = boxOf([trackOf(all, 'vide')], 'stbl');
  const count = 700;
  const kept = (table.children ?? []).filter(({ type }) => type === 'stsd');
  const replaced = [
    fullBox('stts', 0, 1, count, Math.floor((3 * boxOf([trackOf(all, 'vide')], 'mdhd').body.readUInt32BE(12)) / count)),
    fullBox('stsc', 0, 1, 1, 1, 1),
    fullBox('stsz', 0, body.length, count),
    fullBox('stco', 0, count, ...Array.from({ length: count }, () => origin)),
  ];
  table.children = [...kept, ...replaced];
  return all;
});
const headerless = table('avcC', (box) => {
  box.type = 'free';
});

const nothingShown = boxes((all) => {
  setEdits(all, 'vide', [{ seconds: 3, from: 100 }]);
  return all;
});
const MKV_HEADER = 0x1a45dfa3;
const apple = [...hevc(), '-tag:v', 'hvc1'];

export const damagedFiles: readonly Rejection[] = [
  rejection('cut off before its index', 'mp4', head(30, 90), {}, true),
  rejection('cut off in the middle, index first', 'mp4', head(40, 70), front, true),
  rejection('without its last tenth, index first', 'mp4', head(88, 92), front),
  rejection('cut off in the middle, index first', 'mov', head(40, 70), front),
  rejection('cut off in the middle, H.265', 'mp4', head(50, 60), { ...front, coder: apple }),
  rejection('cut off in a fragment', 'mp4', inFragment, fragments, true),
  rejection('cut off between index and pictures of a fragment', 'mp4', betweenBoxes, fragments),
  rejection('pictures to the end of the file, cut off', 'mp4', then(openEnd, head(50, 80)), {}, true),
  rejection('pictures in a box of 64 bits, cut off', 'mp4', then(longSize, head(40, 70))),
  rejection('cut off in a cluster', 'mkv', head(40, 70), {}, true),
  rejection('without its last tenth', 'mkv', head(88, 92)),
  rejection('cut off in a cluster, VP9', 'webm', head(40, 70), { coder: vp9, ...opus }),
  rejection('zeros in its middle, H.264', 'mp4', hole(30, false), {}, true),
  rejection('noise in its middle, H.264', 'mp4', hole(30, true), {}, true),
  rejection('zeros in its middle, H.265', 'mp4', hole(30, false), { coder: apple }),
  rejection('noise in its middle, H.265', 'mov', hole(30, true), { coder: apple, mute: true }),
  rejection('noise in its middle, H.264', 'mkv', hole(25, true)),
  rejection('zeros in its middle, H.264', 'mkv', hole(25, false)),
  rejection('noise in its middle, VP9', 'webm', hole(30, true), { coder: vp9, ...opus }),
  rejection('zeros in its middle, VP9', 'mp4', hole(30, false), { coder: vp9 }),
  rejection('noise in its middle, VP8', 'webm', hole(30, true), { coder: vp8, ...opus, colours: untagged }),
  rejection('noise in its middle, AV1', 'mkv', hole(30, true), { coder: av1 }),
  rejection('zeros in its middle, AV1', 'mp4', hole(30, false), { coder: av1 }),
  rejection('zeros in the middle of fragments', 'mp4', hole(25, false), fragments),
  made('noise in every picture, H.264', 'mkv', (context) => noisyPictures(context, h264Ahead(), 'aac')),
  made('noise in every picture, H.265', 'mp4', (context) => noisyPictures(context, apple, 'aac')),
  { ...made('sound of noise', 'mp4', noisySound), usual: true },
  made('sound of noise', 'mkv', noisySound),
  { ...made('sound of which a third is noise', 'mkv', partlyNoisySound), usual: true },
  rejection(
    'no index',
    'mp4',
    boxes((all) => all.filter(({ type }) => type !== 'moov')),
  ),
  rejection(
    'no pictures but their index',
    'mp4',
    boxes((all) => all.filter(({ type }) => type !== 'mdat')),
  ),
  rejection('an index of offsets beyond the end', 'mp4', beyond, {}, true),
  rejection('an index of absurd sizes', 'mp4', absurd, {}, true),
  rejection('an index of countless pictures', 'mp4', countless),
  rejection('an index that names the same bytes seven hundred times', 'mp4', overlapping, { mute: true }, true),
  rejection('no parameters of the codec', 'mp4', headerless, {}, true),
  rejection('an edit list that shows nothing', 'mp4', nothingShown, { mute: true }, true),
  made('no key picture', 'mkv', keyless),
  made('no key picture', 'mp4', keyless),
  rejection(
    'tracks without a cluster',
    'mkv',
    elements((all) => without(all, ids.cluster)),
    {},
    true,
  ),
  rejection(
    'clusters without a track',
    'mkv',
    elements((all) => without(all, ids.tracks)),
  ),
  rejection(
    'clusters without a block',
    'mkv',
    elements((all) => {
      for (const cluster of elementsOf(all, ids.cluster))
        cluster.children = without(cluster.children ?? [], ids.simpleBlock);
      return without(all);
    }),
  ),
  made('noise behind a valid signature', 'mp4', async (context) => {
    await renderClip(context.at('good.mp4'), smallClip(context.random, 1), h264());
    const good = await readFile(context.at('good.mp4'));
    await writeFile(context.path, Buffer.concat([good.subarray(0, good.readUInt32BE(0)), noise(context, 50_000)]));
  }),
  made('noise behind a valid signature', 'mkv', (context) => {
    const start = Buffer.alloc(4);
    start.writeUInt32BE(MKV_HEADER);
    return writeFile(context.path, Buffer.concat([start, noise(context, 50_000)]));
  }),
  { ...made('encrypted', 'mp4', encrypted, ['source_encrypted']), usual: true },
];

function made(
  name: string,
  file: string,
  make: Rejection['make'],
  codes: Rejection['codes'] = ['source_corrupt'],
): Rejection {
  return {
    name: `${name}, in ${file}`,
    file,
    make,
    codes,
  };
}

function rejection(name: string, file: string, change: Change, options: CorruptOptions = {}, usual?: true): Rejection {
  return {
    name: `${name}, in ${file}`,
    file,
    codes: ['source_corrupt'],
    make: (context) => corruptClip(context, change, options),
    ...(usual ? { usual } : {}),
  };
}

function then(first: Change, second: Change): Change {
  return (bytes, context) => second(first(bytes, context), context);
}

/** Changes the pictures' sample tables. */
function table(type: string, change: (box: Box) => void): Change {
  return boxes((all) => {
    change(boxOf([trackOf(all, 'vide')], type));
    return all;
  });
}

/** A file without a picture at which decoding can begin. */
async function keyless({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('good.mkv'), smallClip(random, 3), h264('keyint=250'), { mute: true });
  await ffmpeg('-i', at('good.mkv'), '-c', 'copy', '-bsf:v', "noise=drop='key'", '-copyinkf', path);
}

/** Good pictures, with noise in the packets of sound. */
async function noisySound({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('good.mkv'), smallClip(random, 3), h264Ahead());
  await ffmpeg('-i', at('good.mkv'), '-c', 'copy', '-bsf:a', 'noise=amount=1', path);
}

/** Ten seconds of sound, of which every packet from 3 to 6 s is noise. */
async function partlyNoisySound({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('good.mkv'), smallClip(random, 10), h264Ahead());
  const middle = "noise=amount='if(between(pts*tb,3,6),1,0)'";
  await ffmpeg('-i', at('good.mkv'), '-c', 'copy', '-bsf:a', middle, path);
}

async function encrypted({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('good.mp4'), smallClip(random, 2), h264Ahead());
  const key = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb'];
  await ffmpeg('-i', at('good.mp4'), '-c', 'copy', ...key, '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8', path);
}

/** Noise in all pictures of a track, in place of what their packets hold. */
async function noisyPictures(
  { path, at, random }: RecipeContext,
  coder: readonly string[],
  sounds: string,
): Promise<void> {
  await renderClip(at('good.mkv'), smallClip(random, 3), coder, { sounds: ['-c:a', sounds] });
  await ffmpeg('-i', at('good.mkv'), '-c', 'copy', '-bsf:v', 'noise=amount=40', path);
}
