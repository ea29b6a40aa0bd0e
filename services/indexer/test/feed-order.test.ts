/** Properties of the feed's order: every video once, and no three of a publisher in a row if avoidable. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import {
  blockedPublisher,
  nextStep,
  skipped,
  shown,
  shownEarly,
  type Entry,
  type Position,
} from '../src/domain/feed-order.ts';

const entries = fc
  .array(fc.constantFrom('a', 'a', 'a', 'b', 'c'), { maxLength: 80 })
  .map((publishers) => publishers.map((publisherId, at): Entry => ({ id: String(at), publisherId, sort: [at] })));

function read(all: readonly Entry[]): Entry[] {
  const entriesShown: Entry[] = [];
  let position: Position = { after: undefined, tail: [], early: [] };
  for (let at = 0; at < all.length;) {
    const next = all[at] as Entry;
    const step = nextStep(position, next);
    const other = all
      .slice(at)
      .find(({ id, publisherId }) => publisherId !== blockedPublisher(position) && !position.early.includes(id));
    if (step === 'show-early' && other) {
      position = shownEarly(position, other);
      entriesShown.push(other);
      continue;
    }
    position = step === 'skip' ? skipped(position, next) : shown(position, next);
    if (step !== 'skip') entriesShown.push(next);
    at += 1;
  }
  expect(position.early).to.deep.equal([]);
  return entriesShown;
}

describe('the order of a feed', () => {
  it('a feed shows every video once', () => {
    fc.assert(
      fc.property(entries, (all) => {
        expect(read(all).map(({ id }) => id)).to.have.members(all.map(({ id }) => id));
      }),
      { numRuns: runs(200) },
    );
  });
  it('a feed has three videos of a publisher in a row only when no other publisher is left', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const publishers = read(all).map(({ publisherId }) => publisherId);
        for (const [at, publisher] of publishers.entries())
          if (at >= 2 && publishers[at - 1] === publisher && publishers[at - 2] === publisher)
            expect(new Set(publishers.slice(at))).to.deep.equal(new Set([publisher]));
      }),
      { numRuns: runs(200) },
    );
  });
});
