/** The same boxes of an mp4 or mov file in other positions and forms. */
import { readFile, writeFile } from 'node:fs/promises';
import { h264Ahead, hevc, renderClip, smallClip } from '../generators/clip.ts';
import { boxesOf, readBoxes, writeBoxes, type Box } from '../generators/mp4-boxes.ts';
import type { Recipe } from './recipe.ts';

type Change = (boxes: Box[]) => Box[];

/** Pictures and sound last, in a box that lasts to the end of the file. */
const openEnd: Change = (boxes) => {
  for (const one of boxes) if (one.type === 'mdat') one.size = 'open';
  return named(boxes, 'ftyp', 'moov', 'mdat');
};

const wide: Change = (boxes) => {
  for (const one of boxes) if (one.type === 'mdat') one.size = 'long';
  return named(boxes, 'ftyp', 'mdat', 'moov');
};

/** Offsets of chunks in 64 bits. */
const longOffsets: Change = (boxes) => {
  for (const table of boxesOf(boxes, 'stco')) {
    const count = table.body.readUInt32BE(4);
    const body = Buffer.alloc(8 + count * 8);
    body.writeUInt32BE(count, 4);
    for (let index = 0; index < count; index++)
      body.writeBigUInt64BE(BigInt(table.body.readUInt32BE(8 + index * 4)), 8 + index * 8);
    Object.assign(table, { type: 'co64', body });
  }
  return boxes;
};

const unknownBoxes: Change = (boxes) =>
  boxes.flatMap((one, index) => [one, box('free', 5 + index), box('uuid', 40), box('wide', 0), box('skip', 17)]);

/** Unknown boxes inside the index. */
const unknownBoxesInside: Change = (boxes) => {
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl'])
    for (const one of boxesOf(boxes, type)) one.children?.unshift(box('free', 9), box('odd1', 12));
  return boxes;
};

/** QuickTime ends a list of boxes with four zero bytes. */
const terminators: Change = (boxes) => {
  for (const type of ['moov', 'trak', 'stsd', 'avc1'])
    for (const one of boxesOf(boxes, type)) one.tail = Buffer.alloc(4);
  return named(boxes, 'ftyp', 'mdat', 'moov');
};

const twoMdats: Change = (boxes) => {
  const empty = box('mdat', 300);
  return [...named(boxes, 'ftyp'), empty, ...named(boxes, 'mdat', 'moov')];
};

export const layoutRecipes: readonly Recipe[] = [
  layout('index before pictures', 'mp4', (boxes) => named(boxes, 'ftyp', 'moov', 'mdat')),
  layout('index behind pictures', 'mov', (boxes) => named(boxes, 'ftyp', 'mdat', 'moov')),
  layout('padding and unknown boxes between boxes', 'mp4', unknownBoxes),
  layout('unknown boxes inside the index', 'mp4', unknownBoxesInside),
  layout('zero bytes behind the last box of a list', 'mov', terminators, true),
  layout('pictures in a box of 64 bits', 'mp4', wide),
  layout('pictures in a box of 64 bits, H.265', 'mov', wide, undefined, [...hevc(), '-tag:v', 'hvc1']),
  layout('pictures in a box to the end of the file', 'mp4', openEnd, true),
  layout('pictures in a box to the end of the file', 'mov', openEnd),
  layout('offsets of 64 bits', 'mp4', longOffsets),
  layout('a second box of bytes that nobody uses', 'mp4', twoMdats),
  layout('without a file type box', 'mov', (boxes) => named(boxes, 'mdat', 'moov')),
  layout('without user data', 'mp4', (boxes) => {
    for (const one of boxesOf(boxes, 'udta')) one.type = 'free';
    return boxes;
  }),
];

function named(boxes: readonly Box[], ...types: readonly string[]): Box[] {
  return types.flatMap((type) => boxes.filter((one) => one.type === type));
}

function layout(name: string, file: string, change: Change, usual?: true, coder = h264Ahead()): Recipe {
  return {
    name: `a file of another layout plays whole: ${name}, in ${file}`,
    file,
    ...(usual ? { usual } : {}),
    make: async ({ path, random }) => {
      await renderClip(path, smallClip(random, 2), coder);
      await writeFile(path, writeBoxes(change(readBoxes(await readFile(path)))));
    },
  };
}

function box(type: string, bytes: number): Box {
  return { type, body: Buffer.alloc(bytes, 0x2a) };
}
