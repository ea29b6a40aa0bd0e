/** Ways of damaging a file. */
import { readFile, writeFile } from 'node:fs/promises';
import { h264Ahead, renderClip, smallClip, type ClipOptions } from './clip.ts';
import { readBoxes, writeBoxes, type Box } from './mp4-boxes.ts';
import { readElements, writeElements, type Element } from './matroska-elements.ts';
import type { RecipeContext } from '../recipes/recipe.ts';

export type CorruptOptions = ClipOptions & { readonly coder?: readonly string[]; readonly seconds?: number };

/** A good clip of three seconds at 25 pictures a second, damaged as bytes. */
export async function corruptClip(
  context: RecipeContext,
  change: (bytes: Buffer, context: RecipeContext) => Buffer,
  options: CorruptOptions = {},
) {
  const { path, at, random } = context;
  const { coder = h264Ahead('keyint=50'), seconds = 3 } = options;
  const good = at(`good.${path.split('.').at(-1)}`);
  await renderClip(good, smallClip(random, seconds, { rate: '25' }), coder, options);
  await writeFile(path, change(await readFile(good), context));
}

/** The beginning of a file. */
export function head(from: number, to = from): (bytes: Buffer, context: RecipeContext) => Buffer {
  return (bytes, { random }) =>
    bytes.subarray(0, Math.floor((bytes.length * random.whole(from * 10, to * 10)) / 1_000));
}

/** The same boxes, changed. */
export function boxes(change: (all: Box[]) => Box[]) {
  return (bytes: Buffer): Buffer => writeBoxes(change(readBoxes(bytes)));
}

/** The same elements, changed. */
export function elements(change: (all: Element[]) => Element[]) {
  return (bytes: Buffer): Buffer => writeElements(change(readElements(bytes)));
}

/** Overwrites some percent of a file, in its middle, with zeros or noise. */
export function hole(percent: number, noise: boolean): (bytes: Buffer, context: RecipeContext) => Buffer {
  return (bytes, { random }) => {
    const corrupted = Buffer.from(bytes);
    const from = Math.floor(bytes.length * (0.3 + random.whole(0, 20) / 100));
    const to = from + Math.floor((bytes.length * percent) / 100);
    for (let at = from; at < to; at++) corrupted[at] = noise ? random.whole(0, 255) : 0;
    return corrupted;
  };
}

/** Random bytes. */
export function noise({ random }: RecipeContext, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.whole(0, 255)));
}
