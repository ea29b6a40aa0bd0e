/** The lifecycle with its neighbours, through every state that there is within bounds; and that the checker is no sieve. */
import { runs } from '@vds/testkit/counts';
import { expect } from 'chai';
import type { Stage } from '../../src/domain/stage.ts';
import { explore, type Explored } from './explore.ts';
import { naive } from './mutants.ts';
import { production } from './product.ts';
import { encodeAlone, encodeAndCaptions, nothingAllowed, type Budget } from './world.ts';

function shown({ states, transitions, rests, seconds, violations }: Explored): string {
  return `${states} states, ${transitions} transitions, ${rests} rests, ${seconds.toFixed(1)} s, ${violations.length} violations`;
}

function told({ violations }: Explored): string {
  return violations.map(({ kind, path }) => `${kind}:\n  ${path.join('\n  ')}`).join('\n');
}

/** What the partner may ask, and what may go wrong, once each. */
const bounds: Budget = {
  ...nothingAllowed,
  archive: 2,
  republish: 2,
  delete: 1,
  redelivery: 1,
  crash: 1,
  failure: 1,
  duplicate: 1,
};
const long = runs(1) > 1;

const houses: readonly { readonly what: string; readonly list: readonly Stage[]; readonly left: Budget }[] = [
  { what: 'two archives, two republishes, a delete and one of each mishap', list: encodeAlone, left: bounds },
  {
    what: 'an operator who retries',
    list: encodeAlone,
    left: { ...bounds, archive: 1, republish: 1, retry: 1, redelivery: long ? 1 : 0, crash: long ? 1 : 0 },
  },
  {
    what: 'an operator who holds, releases and removes',
    list: encodeAlone,
    left: { ...bounds, republish: 1, hold: 2, release: 2, remove: 1, redelivery: 0, crash: 0, duplicate: long ? 1 : 0 },
  },
  {
    what: 'captions that are awaited, and attach when they are late',
    list: encodeAndCaptions,
    left: { ...bounds, archive: 1, republish: 1, redelivery: 0, crash: 0, duplicate: long ? 1 : 0 },
  },
];

describe('a model of the whole life of a video', () => {
  for (const { what, list, left } of houses) {
    it(`finds nothing amiss with ${what}`, () => {
      const explored = explore({ product: production, list, left });
      process.stdout.write(`      ${shown(explored)}\n`);
      expect(explored.violations, told(explored)).to.deep.equal([]);
      expect(explored.rests).to.be.greaterThan(10);
    }).timeout(600_000);
  }

  describe('finds in a naive house', () => {
    for (const { fault, kind, left, product } of naive) {
      it(`by “${kind}”: ${fault}`, () => {
        const sound = explore({ product: production, list: encodeAlone, left });
        expect(sound.violations, told(sound)).to.deep.equal([]);
        const explored = explore({ product, list: encodeAlone, left }, kind);
        const found = explored.violations.find((violation) => violation.kind === kind);
        expect(found, told(explored)).to.have.property('path').that.is.an('array');
        process.stdout.write(`        ${found?.path.join(' → ')}\n`);
      });
    }

    it('more than six kinds of fault', () => {
      expect(new Set(naive.map(({ kind }) => kind)).size).to.be.at.least(6);
    });
  });
});
