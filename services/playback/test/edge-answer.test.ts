import { expect } from 'chai';
import fc from 'fast-check';
import { gateLeftMs, keptSeconds, validityOf } from '../src/domain/edge-answer.ts';

const age = fc.integer({ min: 0, max: 400_000 });
const ms = fc.integer({ min: -1_000, max: 1_000_000 });

describe('what an edge is told', () => {
  it('an edge never lets anybody in after the token has expired or the gate has closed, and asks every 15 s', () => {
    fc.assert(
      fc.property(ms, fc.option(ms, { nil: undefined }), age, (tokenLeft, gateLeft, ageMs) => {
        const { fresh, stale } = validityOf(tokenLeft, gateLeft, ageMs);
        expect(fresh).to.be.within(0, 15);
        expect(stale).to.be.within(0, 60 - fresh);
        expect((fresh + stale) * 1_000).to.be.at.most(Math.max(0, 300_000 - ageMs));
        const left = Math.max(0, Math.min(tokenLeft, gateLeft ?? tokenLeft));
        expect((fresh + stale) * 1_000).to.be.at.most(left);
      }),
    );
    expect(validityOf(3_600_000, undefined, 0)).to.deep.equal({ fresh: 15, stale: 45 });
    expect(gateLeftMs({ gateClosesInMs: 5_000 }, 2_000)).to.equal(3_000);
  });

  it('an edge keeps nothing that it got from a replica with an older gate, and nobody else is told anything', () => {
    expect(keptSeconds('file', 'videos/a/2/', 'videos/a/2/')).to.equal(86_400);
    expect(keptSeconds('file', 'videos/a/1/', 'videos/a/2/')).to.equal(0);
    expect(keptSeconds('master', 'videos/a/2/', 'videos/a/2/')).to.equal(10);
    expect(keptSeconds('file', 'videos/a/2/', undefined)).to.equal(undefined);
  });
});
