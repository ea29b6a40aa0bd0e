/** Which packets of H.264 begin a picture, where each holds one field. */
import { expect } from 'chai';
import { createFieldPairs } from '../../src/domain/source/field-pairs.ts';
import { fieldCoded } from '../corpus/generators/field-coded.ts';

const startCode = Buffer.from([0, 0, 0, 1]);

/** The units of an elementary stream. */
function unitsOf(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = stream.indexOf(startCode); at >= 0; at = stream.indexOf(startCode, at + 4)) starts.push(at);
  return starts.map((start, index) => stream.subarray(start + 4, starts[index + 1]));
}

/** The stream's fields as packets of units with their lengths, and the record that configures a decoder for them. */
function packetsOf(pictures: number) {
  const units = unitsOf(fieldCoded(pictures));
  const packets: Buffer[] = [];
  const sets: Buffer[] = [];
  let open: Buffer[] = [];
  for (const unit of units) {
    const type = (unit[0] ?? 0) & 0x1f;
    if (type === 7 || type === 8) sets[type - 7] = unit;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(unit.length);
    open.push(length, unit);
    if (type !== 1 && type !== 5) continue;
    packets.push(Buffer.concat(open));
    open = [];
  }
  const record = sets.flatMap((set) => [Buffer.from([1, 0, set.length]), set]);
  return { packets, configuration: Buffer.concat([Buffer.from([1, 77, 0, 30, 0xff]), ...record]) };
}

/** For each packet, whether it begins a picture. */
function shown(configuration: Buffer, packets: readonly Buffer[]): (boolean | undefined)[] {
  const shows = createFieldPairs(configuration);
  return packets.map((packet) => shows?.((at, length) => packet.subarray(at, at + length), packet.length));
}

describe('createFieldPairs', () => {
  const { packets, configuration } = packetsOf(4);
  const [top = Buffer.alloc(0), bottom = Buffer.alloc(0), next = Buffer.alloc(0), last = Buffer.alloc(0)] = packets;

  it('the second of two fields in separate packets completes the picture of the first', () => {
    expect(shown(configuration, packets)).to.deep.equal([true, false, true, false, true, false, true, false]);
  });

  it('two fields in one packet are a picture', () => {
    const whole = [Buffer.concat([top, bottom]), Buffer.concat([next, last])];
    expect(shown(configuration, whole)).to.deep.equal([true, true]);
  });

  it('a field whose counterpart is missing is a picture, and so is the one after it', () => {
    expect(shown(configuration, [top, next, last])).to.deep.equal([true, true, false]);
    expect(shown(configuration, [top, last])).to.deep.equal([true, true]);
  });

  it('every packet counts as a picture if it is truncated or random', () => {
    const broken = [top.subarray(0, 5), Buffer.alloc(40, 0xff), Buffer.alloc(0)];
    expect(shown(configuration, broken)).to.deep.equal([true, true, true]);
  });

  it('packets without lengths, or without a configuration, are not examined', () => {
    expect(createFieldPairs(startCode)).to.equal(undefined);
    expect(createFieldPairs(Buffer.alloc(0))).to.equal(undefined);
  });
});
