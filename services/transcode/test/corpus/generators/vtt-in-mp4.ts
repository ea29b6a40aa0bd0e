/** WebVTT in mp4 (ISO/IEC 14496-30 §7), which ffmpeg does not write: made of its mov_text. */
import { readFile, writeFile } from 'node:fs/promises';
import { boxOf, fullBox, readBoxes, trackOf, writeBoxes, type Box } from './mp4-boxes.ts';

/** Writes the file with its one track of mov_text as WebVTT; its boxes must end with `moov`. */
export async function vttInMp4(from: string, to: string): Promise<void> {
  const bytes = await readFile(from);
  const boxes = readBoxes(bytes);
  const track = trackOf(boxes, 'sbtl');
  boxOf([track], 'hdlr').body.write('text', 8, 'latin1');
  const samples = textsOf(bytes, track).map((text) => box(text === '' ? 'vtte' : 'vttc', text && box('payl', text)));
  const table = boxOf([track], 'stsd');
  const entry = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), box('vttC', 'WEBVTT')]);
  table.children = [{ type: 'wvtt', body: entry }];
  const at = bytes.indexOf('moov') - 4;
  change(track, fullBox('stsz', 0, 0, samples.length, ...samples.map(({ length }) => length)));
  change(track, fullBox('stsc', 0, 1, 1, samples.length, 1));
  change(track, fullBox('stco', 0, 1, at + 8));
  boxes.splice(-1, 0, { type: 'mdat', body: Buffer.concat(samples) });
  await writeFile(to, writeBoxes(boxes));
}

function box(type: string, content: Buffer | string): Buffer {
  return writeBoxes([{ type, body: Buffer.from(content) }]);
}

function change(track: Box, { type, body }: Box): void {
  boxOf([track], type).body = body;
}

/** The text of every sample: its length in 16 bits, then the text. */
function textsOf(bytes: Buffer, track: Box): string[] {
  const [offsets, sizes, runs] = ['stco', 'stsz', 'stsc'].map((type) => boxOf([track], type).body) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const texts: string[] = [];
  let samples = 1;
  for (let chunk = 1; chunk <= offsets.readUInt32BE(4); chunk += 1) {
    for (let run = 8; run < runs.length; run += 12)
      if (runs.readUInt32BE(run) === chunk) samples = runs.readUInt32BE(run + 4);
    let at = offsets.readUInt32BE(4 + chunk * 4);
    for (let left = samples; left > 0; left -= 1) {
      const size = sizes.readUInt32BE(4) || sizes.readUInt32BE(12 + texts.length * 4);
      texts.push(bytes.toString('utf8', at + 2, at + 2 + bytes.readUInt16BE(at)));
      at += size;
    }
  }
  return texts;
}
