/** Writes a display matrix into an mp4 or mov, as phones held upright do instead of rotating the pixels. */

const ONE = 0x10000; // 16.16 fixed point
const W = 0x40000000; // 2.30 fixed point
/** From the start of `tkhd` (its four characters) to the matrix, for version 0 of the box (ISO/IEC 14496-12 §8.3.2). */
const TO_MATRIX = 44;

/**
 * The file with its first track (the video, as ffmpeg writes them) marked to be shown rotated by `degrees` clockwise.
 * `width` and `height` are those of the stored picture. Throws when the file has no version 0 track header.
 */
export function turnPicture(file: Buffer, degrees: 90 | 180 | 270, width: number, height: number): Buffer {
  const header = file.indexOf('tkhd', 0, 'latin1');
  if (header < 0 || file[header + 4] !== 0) throw new Error('no track header of version 0 in the file');
  const [a, b, c, d, x, y] = {
    90: [0, ONE, -ONE, 0, height * ONE, 0],
    180: [-ONE, 0, 0, -ONE, width * ONE, height * ONE],
    270: [0, -ONE, ONE, 0, 0, width * ONE],
  }[degrees] as [number, number, number, number, number, number];
  const turned = Buffer.from(file);
  [a, b, 0, c, d, 0, x, y, W].forEach((value, index) => turned.writeInt32BE(value, header + TO_MATRIX + index * 4));
  return turned;
}
