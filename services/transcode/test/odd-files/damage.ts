/** Ways of damaging a file. */
import { readFile, writeFile } from 'node:fs/promises';
import { h264Ahead, shoot, smallFilm, type Shoot } from './film.ts';
import { readBoxes, writeBoxes, type Box } from './mp4-boxes.ts';
import { readElements, writeElements, type Element } from './matroska-elements.ts';
import type { Bench } from './recipe.ts';

export type Spoiled = Shoot & { readonly coder?: readonly string[]; readonly seconds?: number };

/** A good film of three seconds at 25 pictures a second, damaged as bytes. */
export async function spoil(bench: Bench, change: (bytes: Buffer, bench: Bench) => Buffer, options: Spoiled = {}) {
  const { path, at, chance } = bench;
  const { coder = h264Ahead('keyint=50'), seconds = 3 } = options;
  const good = at(`good.${path.split('.').at(-1)}`);
  await shoot(good, smallFilm(chance, seconds, { rate: '25' }), coder, options);
  await writeFile(path, change(await readFile(good), bench));
}

/** The beginning of a file. */
export function head(from: number, to = from): (bytes: Buffer, bench: Bench) => Buffer {
  return (bytes, { chance }) =>
    bytes.subarray(0, Math.floor((bytes.length * chance.whole(from * 10, to * 10)) / 1_000));
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
export function hole(percent: number, noise: boolean): (bytes: Buffer, bench: Bench) => Buffer {
  return (bytes, { chance }) => {
    const spoiled = Buffer.from(bytes);
    const from = Math.floor(bytes.length * (0.3 + chance.whole(0, 20) / 100));
    const to = from + Math.floor((bytes.length * percent) / 100);
    for (let at = from; at < to; at++) spoiled[at] = noise ? chance.whole(0, 255) : 0;
    return spoiled;
  };
}

/** Random bytes. */
export function noise({ chance }: Bench, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => chance.whole(0, 255)));
}
