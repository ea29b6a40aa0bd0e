/** CRC-32 as in ISO-HDLC, zip and PNG (reflected polynomial 0xEDB88320). */

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/**
 * The checksum of a text of single-byte characters.
 * @returns a whole number from 0 to 2 ** 32 - 1
 */
export function crc32(text: string): number {
  let value = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    value = (value >>> 8) ^ (table[(value ^ text.charCodeAt(at)) & 0xff] ?? 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
