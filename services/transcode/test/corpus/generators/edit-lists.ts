/** Edit lists written by hand (ISO/IEC 14496-12 §8.6.6). */
import { boxesOf, boxOf, fullBox, trackOf, type Box } from './mp4-boxes.ts';

/** What is presented for `seconds`: the media from `from` on, in seconds after its first sample; null: nothing. */
export type Edit = { readonly seconds: number; readonly from: number | null };

/** Gives a track an edit list; the start of its previous one is kept as the base. */
export function setEdits(boxes: readonly Box[], handler: 'vide' | 'soun', edits: readonly Edit[]): void {
  const track = trackOf(boxes, handler);
  const movieClock = boxOf(boxes, 'mvhd').body.readUInt32BE(12);
  const mediaClock = boxOf([track], 'mdhd').body.readUInt32BE(12);
  const [old] = boxesOf([track], 'elst');
  // The last entry of ffmpeg's edit list refers to the media; an empty one may precede it.
  const base = old ? old.body.readUInt32BE(old.body.length - 8) : 0;
  const entries = edits.flatMap(({ seconds, from }) => [
    Math.round(seconds * movieClock),
    from === null ? 0xffff_ffff : base + Math.round(from * mediaClock),
    0x0001_0000,
  ]);
  const list = fullBox('elst', 0, edits.length, ...entries);
  const header = boxOf([track], 'tkhd');
  const whole = edits.reduce((sum, { seconds }) => sum + seconds, 0);
  header.body.writeUInt32BE(Math.round(whole * movieClock), 20);
  const children = (track.children ?? []).filter(({ type }) => type !== 'edts');
  const edts: Box = { type: 'edts', body: Buffer.alloc(0), children: [list] };
  track.children = [header, edts, ...children.filter((child) => child !== header)];
}
