import { expect } from 'chai';
import fc from 'fast-check';
import { base32, readVideoId, uuidV7, writeVideoId } from '../src/domain/video-id.ts';

const uuids = fc.uint8Array({ minLength: 16, maxLength: 16 });
function valueOf(id: string): bigint {
  return [...id].reduce((sum, digit) => sum * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit)), 0n);
}

describe('video ids', () => {
  it('video ids are TypeIDs as in the example of the specification', () => {
    const uuid = Buffer.from('0188bac74afa78aabc3bbd1eef28d881', 'hex');
    expect(base32(uuid)).to.equal('01h2xcejqtf2nbrexx3vqjhp41');
  });

  it('video ids encode all 128 bits in 26 characters', () => {
    fc.assert(
      fc.property(uuids, (uuid) => {
        const id = base32(uuid);
        expect(id).to.match(/^[0-9a-hjkmnp-tv-z]{26}$/);
        expect(valueOf(id)).to.equal(BigInt(`0x${Buffer.from(uuid).toString('hex')}`));
      }),
    );
  });

  it('video ids have the time, version 7 and variant of RFC 9562', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 47), fc.uint8Array({ minLength: 10, maxLength: 10 }), (nowMs, random) => {
        const hex = Buffer.from(uuidV7(nowMs, random)).toString('hex');
        expect(Number.parseInt(hex.slice(0, 12), 16)).to.equal(nowMs);
        expect(hex[12]).to.equal('7');
        expect('89ab').to.include(hex[16]);
      }),
    );
  });

  it('later video ids sort after earlier ones', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 45), fc.integer({ min: 1, max: 1e9 }), uuids, uuids, (nowMs, later, a, b) => {
        expect(base32(uuidV7(nowMs, a)) < base32(uuidV7(nowMs + later, b))).to.equal(true);
      }),
    );
  });

  it('video ids are read with and without their prefix', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 45), uuids, (nowMs, random) => {
        const id = base32(uuidV7(nowMs, random));
        expect(readVideoId(id)).to.equal(id);
        expect(readVideoId(writeVideoId(id))).to.equal(id);
      }),
    );
  });

  it('malformed video ids are rejected', () => {
    const id = '01jd3m8q0c7e5b9x2k4n6p8rst';
    const bad = ['', 'vid_', id.slice(1), `${id}0`, `8${id.slice(1)}`, id.toUpperCase(), `vid_vid_${id}`, `VID_${id}`];
    const letters = ['i', 'l', 'o', 'u', '-', 'é', '\u0000', '/'].map((letter) => id.slice(0, 25) + letter);
    for (const text of [...bad, ...letters, ` ${id}`, `${id}\n`]) expect(readVideoId(text), text).to.equal(undefined);
  });
});
