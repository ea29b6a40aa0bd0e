/** Which headers of H.264 and H.265 change within key packets and are not repeated. */
import { expect } from 'chai';
import { followParameterSets } from '../../src/domain/source/parameter-sets.ts';

const delimiter = [9, 0xf0];
const sequence = [0x67, 1, 2, 3];
const picture = [0x68, 4];
const otherPicture = [0x68, 5];
const key = [0x65, 9, 9, 9, 9];

/** A packet of units, each behind its length. */
function packet(...units: readonly (readonly number[])[]): Buffer {
  return Buffer.concat(
    units.map((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return Buffer.concat([length, Buffer.from(unit)]);
    }),
  );
}

/** Whether a key picture among these packets depends on headers that have changed before it. */
function lacking(codec: string, packets: readonly Buffer[]): boolean | undefined {
  const headers = followParameterSets(codec);
  for (const bytes of packets)
    headers?.addKey((offset, length) => bytes.subarray(offset, offset + length), bytes.length);
  return headers?.areLacking();
}

describe('followParameterSets', () => {
  const plain = packet(delimiter, key);
  const first = packet(delimiter, sequence, picture, key);
  const second = packet(delimiter, sequence, otherPicture, key);

  it('headers only in the container, only in the first packet or in every packet are not lacking', () => {
    for (const packets of [
      [plain, plain],
      [first, plain, plain],
      [first, first],
      [first, plain, first, plain],
    ])
      expect(lacking('h264', packets)).to.equal(false);
  });

  it('headers that change and are repeated with every key picture are not lacking', () => {
    expect(lacking('h264', [first, first, second, second])).to.equal(false);
  });

  it('a key picture without headers behind changed ones lacks them', () => {
    expect(lacking('h264', [first, second, plain])).to.equal(true);
    expect(lacking('h264', [first, plain, second, second, plain])).to.equal(true);
  });

  it('headers of H.265 are distinguished from pictures by its own types', () => {
    const slice = [0x26, 1, 8];
    const packets = [packet([0x40, 1, 7], slice), packet([0x40, 1, 9], slice), packet(slice)];
    expect(lacking('hevc', packets)).to.equal(true);
  });

  it('bytes that are not units count as a packet without headers', () => {
    expect(lacking('h264', [Buffer.from([0, 0, 0, 1, 0x67]), Buffer.alloc(3), Buffer.alloc(9, 0xff)])).to.equal(false);
  });

  it('codecs whose key pictures hold all headers are not followed', () => {
    expect(followParameterSets('vp9')).to.equal(undefined);
  });
});
