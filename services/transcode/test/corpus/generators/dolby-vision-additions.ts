/** What a Dolby Vision player adds to each picture of H.265 (reference processing unit): here it changes nothing. */

/** Of profile 5, as its base layer, of full range, has no second layer. */
export function profile5Additions(): Buffer {
  const header = [bits(25, 8), bits(2, 6), bits(18, 11), bits(0, 8), '1'];
  const coefficients = [bits(0, 3), golomb(23), bits(1, 2)];
  const [base, second, shown] = [10, 10, 12];
  const layers = ['1', golomb(base - 8), golomb(second - 8), golomb(shown - 8), bits(0, 5), '1'];
  const kinds = ['1', '0', golomb(0), golomb(0), golomb(0)];
  const pivots = repeat(3, golomb(0), bits(0, base), bits(1_023, base));
  const straight = [golomb(0), bits(0, 23), golomb(1), bits(0, 23)];
  const curves = [golomb(0), golomb(0), ...repeat(3, golomb(0), golomb(0), '0', ...straight)];
  const conversion = [...repeat(3, golomb(0)), bits(0, 9 * 16), bits(0, 3 * 32), bits(0, 9 * 16)];
  const colours = [bits(65_535, 16), bits(0, 64), bits(shown, 5), bits(2, 2), bits(0, 2), bits(1, 2)];
  const light = [bits(0, 12), bits(4_095, 12), bits(42, 10)];
  return packed([header, coefficients, layers, kinds, pivots, curves, conversion, colours, light].flat().join(''));
}

function bits(value: number, count: number): string {
  return value.toString(2).padStart(count, '0');
}

/** An Exp-Golomb code (ITU-T H.265 §9.2). */
function golomb(value: number): string {
  const code = (value + 1).toString(2);
  return code.padStart(2 * code.length - 1, '0');
}

function repeat(count: number, ...fields: readonly string[]): string[] {
  return Array.from({ length: count }, () => fields).flat();
}

/** A unit of type 62 with a checksum that decoders do not compare. */
function packed(fields: string): Buffer {
  const bytes = (fields.padEnd(Math.ceil(fields.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((byte) =>
    parseInt(byte, 2),
  );
  return Buffer.from([62 << 1, 1, ...bytes, 0, 0, 0, 0, 0x80]);
}
