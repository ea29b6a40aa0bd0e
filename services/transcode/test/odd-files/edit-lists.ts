/** Edit lists written by hand (ISO/IEC 14496-12 §8.6.6). */
import { boxesOf, boxOf, fullBox, trackOf, type Box } from './mp4-boxes.ts';

/** What is shown for `seconds`: the media from `from` on, in seconds after the first picture or sound; null: nothing. */
export type Edit = { readonly seconds: number; readonly from: number | null };

/** Gives a track an edit list; what it said before of its first moment is kept as the base. */
export function setEdits(boxes: readonly Box[], handler: 'vide' | 'soun', edits: readonly Edit[]): void {
  const track = trackOf(boxes, handler);
  const movieClock = boxOf(boxes, 'mvhd').body.readUInt32BE(12);
  const mediaClock = boxOf([track], 'mdhd').body.readUInt32BE(12);
  const [old] = boxesOf([track], 'elst');
  // The last entry of what ffmpeg writes names the media; an empty one may stand before it.
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
