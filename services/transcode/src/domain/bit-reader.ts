/** Reads the headers of H.264 and H.265 bit by bit (ITU-T H.264 §7.2 and §9.1). */

export type BitReader = {
  /** The next bits as a number; zeros beyond the end. */
  readonly bits: (count: number) => number;
  readonly flag: () => boolean;
  /** `ue(v)` and `se(v)`. */
  readonly unsigned: () => number;
  readonly signed: () => number;
};

/** @param unit bytes of a NAL unit, or of what follows its header, with emulation prevention */
export function readBits(unit: Buffer): BitReader {
  const bytes = withoutEmulation(unit);
  let at = 0;
  const bits = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index++, at++)
      value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const unsigned = (): number => {
    let zeros = 0;
    while (zeros < 32 && bits(1) === 0) zeros++;
    return 2 ** zeros - 1 + bits(zeros);
  };
  const signed = (): number => {
    const code = unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  };
  return { bits, flag: () => bits(1) === 1, unsigned, signed };
}

/** Without the bytes of three that keep a start code from appearing inside a unit. */
function withoutEmulation(unit: Buffer): Uint8Array {
  return unit.filter((byte, index) => !(byte === 3 && index > 1 && unit[index - 1] === 0 && unit[index - 2] === 0));
}
