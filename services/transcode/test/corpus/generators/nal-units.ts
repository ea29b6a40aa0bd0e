/** Units added to every picture of a raw H.264 or H.265 stream, which must have a delimiter before each picture. */
type Codec = 'h264' | 'hevc';

const startCode = Buffer.from([0, 0, 0, 1]);

/**
 * @param unitFor the unit for a picture, by its number, without escapes
 * @returns the stream with the units before the first slice of each H.264 picture, or after the last one of H.265
 */
export function addUnits(stream: Buffer, codec: Codec, unitFor: (picture: number) => Buffer): Buffer {
  let picture = 0;
  const units = unitsOf(stream).flatMap((unit, index) => {
    if (!isDelimiter(unit, codec)) return [unit];
    const added = (number: number): Buffer => escaped(unitFor(number), codec);
    if (codec === 'h264') return [unit, added(picture++)];
    return index === 0 ? [unit] : [added(picture++), unit];
  });
  if (codec === 'hevc') units.push(escaped(unitFor(picture), codec));
  return Buffer.concat(units.flatMap((unit) => [startCode, unit]));
}

function unitsOf(stream: Buffer): Buffer[] {
  const short = startCode.subarray(1);
  const units: Buffer[] = [];
  for (let at = stream.indexOf(short); at >= 0;) {
    const next = stream.indexOf(short, at + 3);
    let end = next < 0 ? stream.length : next;
    while (stream[end - 1] === 0) end--;
    units.push(stream.subarray(at + 3, end));
    at = next;
  }
  return units;
}

function isDelimiter(unit: Buffer, codec: Codec): boolean {
  const header = unit[0] ?? 0;
  return codec === 'h264' ? (header & 31) === 9 : ((header >> 1) & 63) === 35;
}

/** Keeps a unit free of start codes (ITU-T H.264 §7.4.1). */
function escaped(unit: Buffer, codec: Codec): Buffer {
  const bytes: number[] = [];
  let zeros = 0;
  unit.forEach((byte, at) => {
    if (zeros >= 2 && byte <= 3 && at >= (codec === 'h264' ? 1 : 2)) {
      bytes.push(3);
      zeros = 0;
    }
    bytes.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  });
  return Buffer.from(bytes);
}
