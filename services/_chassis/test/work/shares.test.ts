import { expect } from 'chai';
import fc from 'fast-check';
import { takenShares } from '../../src/work/shares.ts';

const jobs = fc.array(fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), origin: fc.constantFrom('x', 'y') }));

describe('shares of slots', () => {
  it('a tenant or origin is crowded once it holds its part of the slots, of which one is always granted', () => {
    fc.assert(
      fc.property(jobs, fc.integer({ min: 1, max: 16 }), (running, slots) => {
        const taken = takenShares(running, slots, { tenant: 1 / 4, origin: 1 / 8, most: 3 / 4 });
        for (const tenant of ['a', 'b', 'c']) {
          const held = running.filter((job) => job.tenant === tenant).length;
          expect(taken.crowdedTenants.includes(tenant)).to.equal(held >= 1 && held >= Math.floor(slots / 4));
          expect(taken.closed.includes(tenant)).to.equal(held >= (slots * 3) / 4);
        }
        for (const origin of ['x', 'y']) {
          const held = running.filter((job) => job.origin === origin).length;
          expect(taken.crowdedOrigins.includes(origin)).to.equal(held >= 1 && held >= Math.floor(slots / 8));
        }
      }),
    );
  });
});
