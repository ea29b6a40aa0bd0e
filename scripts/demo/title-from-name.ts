/** A title for a video that has only a file name. */

const MAX_LENGTH = 200;

/**
 * "holiday_2024-final.mp4" → "Holiday 2024 final": without extension, separators as spaces, the first letter upper-case;
 * "Video" where nothing is left.
 */
export function titleFromName(name: string): string {
  const words = name
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    // A dot or a hyphen between digits belongs to a number or a date.
    .replaceAll(/(?<!\d)[.-]|[.-](?!\d)|[\s_+]/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  const [first, ...rest] = [...words];
  return first === undefined ? 'Video' : [first.toUpperCase(), ...rest].slice(0, MAX_LENGTH).join('');
}
