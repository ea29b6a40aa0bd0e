/** The feed's order as a property: nobody lost, nobody twice, no row of three where it can be helped. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { barred, nextStep, passed, taken, takenEarly, type Entry, type Place } from '../src/domain/feed-order.ts';

const entries = fc
  .array(fc.constantFrom('a', 'a', 'a', 'b', 'c'), { maxLength: 80 })
  .map((publishers) => publishers.map((publisherId, at): Entry => ({ id: String(at), publisherId, sort: [at] })));

function read(all: readonly Entry[]): Entry[] {
  const shown: Entry[] = [];
  let place: Place = { after: undefined, tail: [], early: [] };
  for (let at = 0; at < all.length;) {
    const next = all[at] as Entry;
    const step = nextStep(place, next);
    const other = all
      .slice(at)
      .find(({ id, publisherId }) => publisherId !== barred(place) && !place.early.includes(id));
    if (step === 'early' && other) {
      place = takenEarly(place, other);
      shown.push(other);
      continue;
    }
    place = step === 'pass' ? passed(place, next) : taken(place, next);
    if (step !== 'pass') shown.push(next);
    at += 1;
  }
  expect(place.early).to.deep.equal([]);
  return shown;
}

describe('the order of a feed', () => {
  it('shows everything once', () => {
    fc.assert(
      fc.property(entries, (all) => {
        expect(read(all).map(({ id }) => id)).to.have.members(all.map(({ id }) => id));
      }),
      { numRuns: runs(200) },
    );
  });
  it('has no row of three unless nobody else is left', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const shown = read(all).map(({ publisherId }) => publisherId);
        for (const [at, publisher] of shown.entries())
          if (at >= 2 && shown[at - 1] === publisher && shown[at - 2] === publisher)
            expect(new Set(shown.slice(at))).to.deep.equal(new Set([publisher]));
      }),
      { numRuns: runs(200) },
    );
  });
});
