/**
 * H.264 whose pictures are coded as two fields each (PAFF), as broadcast encoders do and x264 does not: every
 * macroblock is stored as it is (I_PCM), which needs no encoder. A bright bar moves with every field.
 */

const [width, height] = [64, 64];
const GROUP_LENGTH = 12;
const startCode = [0, 0, 0, 1];
const delimiter = [...startCode, 0x09, 0x10];

/** An elementary stream of `pictures`, each of a top and a bottom field, 25 a second. */
export function fieldCoded(pictures: number): Buffer {
  const parts: number[][] = [];
  for (let number = 0; number < pictures; number++)
    for (const bottom of [0, 1]) {
      const sets = number % GROUP_LENGTH === 0 && bottom === 0 ? [...sequenceSet(), ...pictureSet()] : [];
      parts.push(delimiter, sets, timing(bottom), field(number, bottom));
    }
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

function createWriter() {
  const bits: number[] = [];
  const put = (count: number, value: number): void => {
    for (let place = count - 1; place >= 0; place--) bits.push(Math.floor(value / 2 ** place) % 2);
  };
  const unsigned = (...values: readonly number[]): void => {
    for (const value of values) {
      const length = (value + 1).toString(2).length;
      put(length - 1, 0);
      put(length, value + 1);
    }
  };
  const align = (): void => {
    while (bits.length % 8 !== 0) bits.push(0);
  };
  const bytes = (): number[] => {
    put(1, 1);
    align();
    return Array.from({ length: bits.length / 8 }, (_byte, index) =>
      bits.slice(index * 8, index * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
    );
  };
  return { put, unsigned, align, bytes };
}

/** A unit with its start code and emulation prevention. */
function unit(header: number, body: readonly number[]): number[] {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of body) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3);
      zeros = 0;
    }
    out.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return [...startCode, header, ...out];
}

/** Main profile; frames and fields; 25 frames a second. */
function sequenceSet(): number[] {
  const { put, unsigned, bytes } = createWriter();
  put(24, 0x4d001e);
  unsigned(0, 0, 0, 4, 1);
  put(1, 0);
  unsigned(width / 16 - 1, height / 32 - 1);
  // Fields allowed, no MBAFF, direct inference, no cropping; then the VUI with its timing and picture structure.
  put(4, 0b0010);
  put(1, 1);
  put(5, 0b00001);
  put(32, 1);
  put(32, 50);
  put(5, 0b10010);
  return unit(0x67, bytes());
}

function pictureSet(): number[] {
  const { put, unsigned, bytes } = createWriter();
  unsigned(0, 0);
  put(2, 0);
  unsigned(0, 0, 0);
  put(3, 0);
  unsigned(0, 0, 0);
  put(3, 0b100);
  return unit(0x68, bytes());
}

/** The message that declares a field's parity. */
function timing(bottom: number): number[] {
  return unit(6, [1, 1, (1 + bottom) << 4, 0x80]);
}

function field(number: number, bottom: number): number[] {
  const { put, unsigned, align, bytes } = createWriter();
  const place = number % GROUP_LENGTH;
  const begins = place === 0 && bottom === 0;
  unsigned(0, 7, 0);
  put(4, place);
  put(2, 2 + bottom);
  if (begins) unsigned(Math.floor(number / GROUP_LENGTH) % 2);
  put(8, 2 * place + bottom);
  put(begins ? 2 : 1, 0);
  unsigned(0, 1);
  const bar = (number * 2 + bottom) % (width - 16);
  for (let down = 0; down < height / 32; down++)
    for (let across = 0; across < width / 16; across++) {
      unsigned(25);
      align();
      for (let at = 0; at < 256; at++) {
        const [x, y] = [across * 16 + (at % 16), (down * 16 + Math.floor(at / 16)) * 2 + bottom];
        put(8, x >= bar && x < bar + 16 && y >= 8 && y < 56 ? 235 : 40);
      }
      for (let at = 0; at < 128; at++) put(8, 128);
    }
  return unit(begins ? 0x65 : 0x61, bytes());
}
