/** Headers of H.264 and H.265 that change in mid-stream: what was joined without being encoded again. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { h264, hevc, renderClip, smallClip } from '../generators/clip.ts';
import { setEdits } from '../generators/edit-lists.ts';
import { boxOf, fullBox, readBoxes, writeBoxes, type Box } from '../generators/mp4-boxes.ts';
import type { RecipeContext, Expectation, Recipe } from './recipe.ts';

const FRAMES = 75;
const fine = ['cabac=0', 'qp=12'];
const coarse = ['cabac=1', 'qp=34'];
const plain = ['sao=0', 'signhide=0'];
const rich = ['sao=1', 'signhide=1'];

export const changedHeaderRecipes: readonly Recipe[] = [
  recipe('two sample descriptions, H.264 in mp4', 'mp4', twoDescriptions, {
    decoderErrors: /reference count \d+ overflow/,
  }),
  {
    ...recipe('once within the pictures, H.264 in mp4', 'mp4', (context) =>
      withinPictures(context, 'h264', [
        [...fine, 'keyint=25'],
        [...coarse, 'keyint=25'],
      ]),
    ),
    usual: true,
  },
  recipe('once within the pictures, H.265 in mkv', 'mkv', (context) =>
    withinPictures(context, 'hevc', [
      [...plain, 'keyint=25'],
      [...rich, 'keyint=25'],
    ]),
  ),
];

function recipe(name: string, file: string, make: Recipe['make'], expect: Expectation = {}): Recipe {
  return {
    name: `headers that change in mid-stream apply to every picture behind them: ${name}`,
    file,
    make,
    expect: { sound: null, frames: 2 * FRAMES, ...expect },
  };
}

/** Renders two halves of a clip, each with its own parameters of the encoder. */
async function renderHalves(
  { at, random }: RecipeContext,
  name: (half: number) => string,
  coder: (...more: readonly string[]) => readonly string[],
  parameters: readonly (readonly string[])[],
): Promise<string[]> {
  const clip = smallClip(random, (2 * FRAMES) / 25, { rate: '25' });
  const paths = parameters.map((_more, half) => at(name(half)));
  for (const [half, more] of parameters.entries()) {
    const filters = [`trim=start_frame=${half * FRAMES}:end_frame=${(half + 1) * FRAMES}`, 'setpts=PTS-STARTPTS'];
    await renderClip(paths[half] ?? '', clip, coder('bframes=0', ...more), { mute: true, filters });
  }
  return paths;
}

/** One track with two sample descriptions, as an editor joins two clips. */
async function twoDescriptions(context: RecipeContext): Promise<void> {
  const parameters = [fine, coarse].map((more) => [...more, 'keyint=25']);
  const paths = await renderHalves(context, (half) => `${half}.mp4`, h264, parameters);
  const [one = [], two = []] = await Promise.all(paths.map(async (path) => readBoxes(await readFile(path))));
  await writeFile(context.path, writeBoxes(joined(one, two)));
}

/** The first file's boxes with the samples of both. */
function joined(one: Box[], two: readonly Box[]): Box[] {
  const media = boxOf(one, 'mdat');
  const from = media.origin ?? 0;
  const split = from + media.body.length;
  media.body = Buffer.concat([media.body, boxOf(two, 'mdat').body]);
  const descriptions = boxOf(one, 'stsd');
  descriptions.body.writeUInt32BE(2, 4);
  descriptions.children?.push(boxOf(two, 'avc1'));
  const length = boxOf(one, 'stts').body.readUInt32BE(12);
  const replace = (type: string, ...numbers: readonly number[]): void => {
    boxOf(one, type).body = fullBox(type, ...numbers).body;
  };
  replace('stsz', 0, 0, 2 * FRAMES, ...sizesOf(one), ...sizesOf(two));
  replace('stco', 0, 2, from, split);
  replace('stsc', 0, 2, 1, FRAMES, 1, 2, FRAMES, 2);
  replace('stts', 0, 1, 2 * FRAMES, length);
  replace('stss', 0, 6, 1, 26, 51, 76, 101, 126);
  for (const type of ['mdhd', 'mvhd']) {
    const { body } = boxOf(one, type);
    body.writeUInt32BE(2 * body.readUInt32BE(16), 16);
  }
  setEdits(one, 'vide', [{ seconds: (2 * FRAMES) / 25, from: 0 }]);
  return one;
}

function sizesOf(boxes: readonly Box[]): number[] {
  const { body } = boxOf(boxes, 'stsz');
  return Array.from({ length: body.readUInt32BE(8) }, (_size, index) => body.readUInt32BE(12 + index * 4));
}

/** A stream whose headers are written where they change, and not again. */
async function withinPictures(
  context: RecipeContext,
  codec: 'h264' | 'hevc',
  parameters: readonly (readonly string[])[],
): Promise<void> {
  const paths = await renderHalves(context, (half) => `${half}.${codec}`, codec === 'h264' ? h264 : hevc, parameters);
  const halves = await Promise.all(paths.map(async (path) => withFirstHeaders(await readFile(path), codec)));
  const stream = context.at(`all.${codec}`);
  await writeFile(stream, Buffer.concat(halves));
  await ffmpeg('-framerate', '25', '-i', stream, '-c', 'copy', context.path);
}

/** The stream without the headers that repeat earlier ones. */
function withFirstHeaders(stream: Buffer, codec: 'h264' | 'hevc'): Buffer {
  const seen = new Set<number>();
  const units = stream.toString('latin1').split('\0\0\x01').slice(1);
  const kept = units.filter((unit) => {
    const first = unit.charCodeAt(0);
    const type = codec === 'h264' ? first & 0x1f : (first >> 1) & 0x3f;
    const isHeader = codec === 'h264' ? type === 7 || type === 8 : type >= 32 && type <= 34;
    const repeated = isHeader && seen.has(type);
    if (isHeader) seen.add(type);
    return !repeated;
  });
  return Buffer.from(kept.map((unit) => `\0\0\0\x01${unit}`).join(''), 'latin1');
}
