/** Boxes of a video track's sample entry that describe its colours. */
import { readFile, writeFile } from 'node:fs/promises';
import { boxOf, readBoxes, trackOf, writeBoxes, type Box } from './mp4-boxes.ts';

/** Writes the file with a box more in its sample entry, which may get another name. */
export async function addToEntry(from: string, to: string, box: Box, name?: string): Promise<void> {
  const boxes = readBoxes(await readFile(from));
  const [entry] = boxOf([trackOf(boxes, 'vide')], 'stsd').children ?? [];
  if (!entry?.children) throw new Error('the sample entry is not one that readBoxes opens');
  entry.children.push(box);
  if (name !== undefined) entry.type = name;
  await writeFile(to, writeBoxes(boxes));
}

/** A configuration record of Dolby Vision: level 1, with additions to the base layer, without a second layer. */
export function dolbyVision(profile: number, compatibility: number): Box {
  const body = Buffer.alloc(24);
  body.set([1, 0], 0);
  body.writeUInt16BE((profile << 9) | (1 << 3) | (1 << 2) | 1, 2);
  body.writeUInt8(compatibility << 4, 4);
  return { type: profile > 7 ? 'dvvC' : 'dvcC', body };
}

/** The volume of colours that the mastering display showed (SMPTE ST 2086): DCI-P3, up to `light` cd/m². */
export function masteringDisplay(light: number): Box {
  const body = Buffer.alloc(24);
  [13_250, 34_500, 7_500, 3_000, 34_000, 16_000, 15_635, 16_450].forEach((value, index) =>
    body.writeUInt16BE(value, index * 2),
  );
  body.writeUInt32BE(light * 10_000, 16);
  body.writeUInt32BE(50, 20);
  return { type: 'mdcv', body };
}
