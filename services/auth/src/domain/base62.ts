/** Base 62 over 0-9A-Za-z: the alphabet of API keys. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Writes a whole number in base 62, most significant digit first, padded with '0'.
 * @param value a safe whole number from 0 to 62 ** width - 1
 */
export function toBase62(value: number, width: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < width; digit++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
