/** Captions of CEA-608 inside the pictures of H.264 (ATSC A/53 Part 4 §6.2.3), two characters with each picture. */

const text = 'CAPTION 608 ';
const [resumeLoading, lastRow, endOfCaption] = [
  [0x14, 0x20],
  [0x14, 0x70],
  [0x14, 0x2f],
] as const;
const pairs = [
  ...[resumeLoading, resumeLoading, lastRow, lastRow],
  ...(text.match(/../g) ?? []).map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)] as const),
  ...[endOfCaption, endOfCaption],
];

/** The message before a picture (ITU-T H.264 §D.1.6). */
export function captionUnit(picture: number): Buffer {
  const [one, two] = pairs[picture % pairs.length] ?? resumeLoading;
  const country = [0xb5, 0x00, 0x31];
  const caption = [0x03, 0x41, 0xff, 0xfc, withParity(one), withParity(two), 0xff];
  const payload = [...country, ...Buffer.from('GA94'), ...caption];
  return Buffer.from([6, 4, payload.length, ...payload, 0x80]);
}

/** Seven bits and an odd number of ones. */
function withParity(value: number): number {
  const ones = value.toString(2).replaceAll('0', '').length;
  return ones % 2 === 0 ? value | 0x80 : value;
}
