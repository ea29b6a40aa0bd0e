/** The lifecycle with the other services, through every reachable state within bounds; and injected faults that must be found. */
import { runs } from '@vds/testkit/counts';
import { expect } from 'chai';
import type { Stage } from '../../src/domain/stages.ts';
import { explore, type Explored } from './explore.ts';
import { mutants } from './mutants.ts';
import { production } from './product.ts';
import { encodeAlone, encodeAndCaptions, nothingAllowed, type Budget } from './world.ts';

function shown({ states, transitions, rests, seconds, violations }: Explored): string {
  return `${states} states, ${transitions} transitions, ${rests} rests, ${seconds.toFixed(1)} s, ${violations.length} violations`;
}

function describeViolations({ violations }: Explored): string {
  return violations.map(({ kind, path }) => `${kind}:\n  ${path.join('\n  ')}`).join('\n');
}

/** How often the partner may give each command and each fault may happen. */
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

const scenarios: readonly { readonly what: string; readonly list: readonly Stage[]; readonly left: Budget }[] = [
  { what: 'two archives, two republishes, a delete and one of each fault', list: encodeAlone, left: bounds },
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

describe('the exhaustive model of a video’s life', () => {
  for (const { what, list, left } of scenarios) {
    it(`no reachable state breaks a law with ${what}`, () => {
      const explored = explore({ product: production, list, left });
      process.stdout.write(`      ${shown(explored)}\n`);
      expect(explored.violations, describeViolations(explored)).to.deep.equal([]);
      expect(explored.rests).to.be.greaterThan(10);
    }).timeout(600_000);
  }

  describe('injected faults', () => {
    for (const { fault, kind, left, product, list = encodeAlone } of mutants) {
      it(`the model finds ${fault} by the law “${kind}”`, () => {
        const sound = explore({ product: production, list, left });
        expect(sound.violations, describeViolations(sound)).to.deep.equal([]);
        const explored = explore({ product, list, left }, kind);
        const found = explored.violations.find((violation) => violation.kind === kind);
        expect(found, describeViolations(explored)).to.have.property('path').that.is.an('array');
        process.stdout.write(`        ${found?.path.join(' → ')}\n`);
      });
    }

    it('the injected faults break more than six laws', () => {
      expect(new Set(mutants.map(({ kind }) => kind)).size).to.be.at.least(6);
    });
  });
});
