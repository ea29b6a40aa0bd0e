/** Files of several tracks, not all of which can be played or are the film, and the film is not the first of them. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { colours, h264Ahead, pictures, renderClip, smallClip, sound } from '../generators/clip.ts';
import { boxOf, readBoxes, trackOf, writeBoxes, type Box } from '../generators/mp4-boxes.ts';
import { playable, type RecipeContext, type Recipe } from './recipe.ts';

const second = { pictures: 'v:1' };

export const choiceRecipes: readonly Recipe[] = [
  playable('a default sound track that no decoder knows is passed over: mov', 'mov', unknownSound, {
    usual: true,
    expect: { sound: 'a:1', warning: 'track_passed_over' },
  }),
  playable('a default sound track that no decoder knows is passed over: mkv', 'mkv', unknownSoundInMatroska, {
    expect: { sound: 'a:1', warning: 'track_passed_over' },
  }),
  playable('seventy attached fonts do not count as tracks: mkv', 'mkv', manyFonts, { usual: true }),
  playable(
    'a default track of one picture is not the film: Motion JPEG in mkv',
    'mkv',
    (context) => twoTracks(context, still('200x150'), ['-c:v:0', 'mjpeg', '-pix_fmt:v:0', 'yuvj420p']),
    { usual: true, expect: second },
  ),
  playable(
    'a default track of one picture is not the film: H.264 in mkv',
    'mkv',
    (context) => twoTracks(context, still('640x480')),
    { usual: true, expect: second },
  ),
  playable(
    'a default track of one picture is not the film: H.264 in mp4',
    'mp4',
    (context) => twoTracks(context, still('640x480')),
    { expect: second },
  ),
  playable(
    'a default track of two stills is not the film: H.264 in mp4',
    'mp4',
    (context) => twoTracks(context, stills, ['-disposition:v:1', 'default']),
    { usual: true, expect: second },
  ),
  playable(
    'a default track of two stills is not the film: H.264 in mkv',
    'mkv',
    (context) => twoTracks(context, stills, ['-disposition:v:1', 'default']),
    { expect: second },
  ),
  playable(
    'a default track in a codec of no specified kind is passed over: Motion JPEG in mov',
    'mov',
    (context) => twoTracks(context, moving, ['-c:v:0', 'mjpeg', '-pix_fmt:v:0', 'yuvj420p']),
    { expect: { ...second, warning: 'track_passed_over' } },
  ),
  playable(
    'a depth map is not the film: declared by its handler, in mp4',
    'mp4',
    (context) => auxiliary(context, (track) => boxOf([track], 'hdlr').body.write('auxv', 8, 'latin1')),
    { usual: true, expect: second },
  ),
  playable(
    'a depth map is not the film: declared by its reference, in mov',
    'mov',
    (context) => auxiliary(context, (track) => track.children?.push(reference('vdep'))),
    { expect: second },
  ),
  playable(
    'the larger one of two default picture tracks is shown: mkv',
    'mkv',
    (context) => twoTracks(context, moving, ['-disposition:v:1', 'default']),
    { expect: second },
  ),
];

const moving = 'color=teal:s=64x36:r=25:d=2';

/** A phone's motion photo has them beside its film. */
const stills = 'color=teal:s=640x480:r=1:d=2';

function firstDefault(kind: 'a' | 'v'): string[] {
  return [...[`-disposition:${kind}:0`, 'default'], ...[`-disposition:${kind}:1`, '0']];
}

function still(size: string): string {
  return `color=teal:s=${size}:r=1:d=1`;
}

/** A default track of other pictures, then the film with its sound. */
async function twoTracks({ path, random }: RecipeContext, other: string, more: readonly string[] = []): Promise<void> {
  await ffmpeg(
    ...['-f', 'lavfi', '-i', other, ...pictures(smallClip(random, 2)), ...sound(2)],
    ...['-map', '0', '-map', '1', '-map', '2'],
    ...colours().map((option) => (option === '-vf' ? '-filter:v:1' : option)),
    ...[...h264Ahead(), '-pix_fmt:v:0', 'yuv420p', '-c:a', 'aac', ...firstDefault('v'), ...more, path],
  );
}

/** The first track is declared to accompany the film. */
async function auxiliary(context: RecipeContext, declare: (track: Box) => void): Promise<void> {
  const { path } = context;
  await twoTracks(context, moving);
  const all = readBoxes(await readFile(path));
  declare(trackOf(all, 'vide'));
  await writeFile(path, writeBoxes(all));
}

function reference(type: string): Box {
  const to = Buffer.alloc(4);
  to.writeUInt32BE(2);
  return { type: 'tref', body: Buffer.alloc(0), children: [{ type, body: to }] };
}

async function twoSounds({ at, random }: RecipeContext, file: string): Promise<Buffer> {
  await ffmpeg(
    ...[...pictures(smallClip(random, 2)), ...sound(2, 1), ...sound(2), '-map', '0', '-map', '1', '-map', '2'],
    ...[...colours(), ...h264Ahead(), '-c:a', 'aac', ...firstDefault('a'), at(file)],
  );
  return readFile(at(file));
}

/** Phones record spatial sound beside a track that everybody can play. */
async function unknownSound(context: RecipeContext): Promise<void> {
  const all = readBoxes(await twoSounds(context, 'good.mov'));
  const entry = boxOf([trackOf(all, 'soun')], 'mp4a');
  entry.type = 'apac';
  entry.body.write('dapa', entry.body.indexOf('esds'), 'latin1');
  await writeFile(context.path, writeBoxes(all));
}

async function unknownSoundInMatroska(context: RecipeContext): Promise<void> {
  const bytes = await twoSounds(context, 'good.mkv');
  bytes.write('A_XYZ', bytes.indexOf('A_AAC', 0, 'latin1'), 'latin1');
  await writeFile(context.path, bytes);
}

async function manyFonts({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('whole.mkv'), smallClip(random, 2), h264Ahead());
  await writeFile(at('type.ttf'), Buffer.alloc(900, 7));
  const font = (index: number): string[] => [
    ...['-attach', at('type.ttf'), `-metadata:s:t:${index}`, 'mimetype=application/x-truetype-font'],
    ...[`-metadata:s:t:${index}`, `filename=type-${index}.ttf`],
  ];
  const fonts = Array.from({ length: 70 }, (_font, index) => font(index)).flat();
  await ffmpeg('-i', at('whole.mkv'), '-c', 'copy', ...fonts, path);
}
