/**
 * Crafted mp4 files: every box of a good file, one at a time, changed in every way that a parser may stumble over; and
 * mutants of it by a seed. No file is stored: the same good file makes the same crafted ones.
 */
import { randomOf } from '@vds/testkit/random';

export type Crafted = { readonly name: string; readonly bytes: Buffer };

/** A box of the good file: its type, where it begins, and how long it is. */
type Place = { readonly path: string; readonly at: number; readonly size: number };
type Change = (bytes: Buffer, place: Place) => Buffer;

/** Boxes that hold boxes, with the bytes before the first. */
const holders: Readonly<Record<string, number>> = {
  ...{ moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, edts: 0, dinf: 0, stsd: 8, avc1: 78, mp4a: 28 },
};
const HEAD = 8;
const MANY = 100_000;

const changes: Readonly<Record<string, Change>> = {
  'size 0': (bytes, place) => withSize(bytes, place, 0),
  'size 7': (bytes, place) => withSize(bytes, place, 7),
  'size 2³¹': (bytes, place) => withSize(bytes, place, 2 ** 31),
  'no type': (bytes, { at }) => edited(bytes, (copy) => copy.fill(0, at + 4, at + HEAD)),
  'zeros inside': (bytes, { at, size }) => edited(bytes, (copy) => copy.fill(0, at + HEAD, at + size)),
  'ones inside': (bytes, { at, size }) => edited(bytes, (copy) => copy.fill(0xff, at + HEAD, at + size)),
  'counts of 2²⁷': (bytes, { at, size }) =>
    edited(bytes, (copy) => {
      // Most tables begin with version and flags, then with how many entries they have.
      if (size >= HEAD + 8) copy.writeUInt32BE(2 ** 27, at + HEAD + 4);
      if (size >= HEAD + 12) copy.writeUInt32BE(2 ** 27, at + HEAD + 8);
    }),
  twice: (bytes, { at, size }) => replaced(bytes, at + size, 0, bytes.subarray(at, at + size)),
  'left out': (bytes, { at, size }) => replaced(bytes, at, size, Buffer.alloc(0)),
};

/** Whole files that no single change of a box makes. */
const wholes: Readonly<Record<string, (good: Buffer) => Buffer>> = {
  'a hundred thousand empty boxes in front': (good) =>
    Buffer.concat([good.subarray(0, sizeAt(good, 0)), emptyBoxes(MANY), good.subarray(sizeAt(good, 0))]),
  'boxes a thousand deep': (good) => Buffer.concat([good.subarray(0, sizeAt(good, 0)), nested(1_000)]),
  'a million Void elements in Matroska': () =>
    Buffer.concat([
      Buffer.from(
        '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
        'hex',
      ),
      Buffer.alloc(2_000_000, Buffer.from([0xec, 0x80])),
    ]),
  'an element of 2⁵⁶ bytes in Matroska': () =>
    Buffer.from(
      '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701fffffffffffffe1549a96601fffffffffffffe',
      'hex',
    ),
  'every sample at the same bytes': (good) =>
    edited(good, (copy) => {
      for (const { path, at, size } of boxesOf(good))
        if (path.endsWith('/stco'))
          for (let entry = at + HEAD + 12; entry + 4 <= at + size; entry += 4)
            copy.copy(copy, entry, at + HEAD + 8, at + HEAD + 12);
    }),
};

/** Every crafted file of a good one, in a fixed order. */
export function craftedMedia(good: Buffer): readonly Crafted[] {
  const places = boxesOf(good).filter(({ path }) => path !== '/mdat');
  const changed = places.flatMap((place) =>
    Object.entries(changes).map(([what, change]) => ({ name: `${place.path}: ${what}`, bytes: change(good, place) })),
  );
  return [...changed, ...Object.entries(wholes).map(([name, make]) => ({ name, bytes: make(good) }))];
}

/** One mutant: up to eight changes of bytes, of lengths or of places, outside of the media data mostly. */
export function mutantOf(good: Buffer, seed: number): Crafted {
  const { integer } = randomOf(seed);
  const pick = (count: number): number => integer(0, Math.max(0, count - 1));
  const places = boxesOf(good);
  let bytes = good;
  for (let left = 1 + pick(8); left > 0; left--) {
    const place = places[pick(places.length)] ?? { path: '', at: 0, size: good.length };
    const at = Math.min(bytes.length - 4, place.at + pick(Math.min(place.size, 200)));
    const kinds: readonly (() => Buffer)[] = [
      () => edited(bytes, (copy) => copy.writeUInt8(pick(256), at)),
      () => edited(bytes, (copy) => copy.writeUInt32BE(pick(2 ** 32), at)),
      () => edited(bytes, (copy) => copy.writeUInt32BE([0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1][pick(5)] ?? 0, at)),
      () => replaced(bytes, at, pick(64), Buffer.alloc(0)),
      () => replaced(bytes, at, 0, bytes.subarray(at, at + pick(256))),
      () => bytes.subarray(0, Math.max(16, pick(bytes.length))),
    ];
    bytes = (kinds[pick(kinds.length)] ?? (() => bytes))();
    if (bytes.length < 16) break;
  }
  return { name: `mutant ${seed}`, bytes };
}

function boxesOf(bytes: Buffer, from = 0, to = bytes.length, under = ''): Place[] {
  const places: Place[] = [];
  for (let at = from; at + HEAD <= to;) {
    const size = sizeAt(bytes, at);
    if (size < HEAD || at + size > to) break;
    const type = bytes.toString('latin1', at + 4, at + HEAD);
    const path = `${under}/${type}`;
    places.push({ path, at, size });
    const inner = holders[type];
    if (inner !== undefined) places.push(...boxesOf(bytes, at + HEAD + inner, at + size, path));
    at += size;
  }
  return places;
}

function sizeAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at);
}

function edited(bytes: Buffer, change: (copy: Buffer) => unknown): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

function withSize(bytes: Buffer, { at }: Place, size: number): Buffer {
  return edited(bytes, (copy) => copy.writeUInt32BE(size, at));
}

function replaced(bytes: Buffer, at: number, length: number, by: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + length)]);
}

function emptyBoxes(count: number): Buffer {
  return Buffer.alloc(count * HEAD, Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]));
}

function nested(depth: number): Buffer {
  const bytes = Buffer.alloc(depth * HEAD);
  for (let level = 0; level < depth; level++) {
    bytes.writeUInt32BE((depth - level) * HEAD, level * HEAD);
    bytes.write('moov', level * HEAD + 4, 'latin1');
  }
  return bytes;
}
