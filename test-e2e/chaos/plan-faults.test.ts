/** The plan of a run follows from its seed, and its arguments are checked. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { readArguments } from './arguments.ts';
import { faultKinds, planFaults } from './plan-faults.ts';

describe('the arguments of a run', () => {
  it('an invalid time or seed is rejected', () => {
    expect(readArguments([])).to.deep.equal({ minutes: 10, seed: 1, keep: false });
    expect(readArguments(['--minutes', '0.5', '--seed', '7', '--keep'])).to.deep.equal({
      ...{ minutes: 0.5, seed: 7, keep: true },
    });
    for (const wrong of [['--minutes=x'], ['--minutes=0'], ['--minutes=Infinity'], ['--seed=1.5'], ['--seed=-1']])
      expect(readArguments(wrong), wrong.join()).to.equal(undefined);
  });
});

describe('the plan of faults', () => {
  it('a plan makes every kind once before repeating any, one after another, and is the same for the same seed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 10_000, max: 3_600_000 }), (seed, totalMs) => {
        const planned = planFaults(seed, totalMs);
        expect(planFaults(seed, totalMs)).to.deep.equal(planned);
        planned.slice(1).forEach(({ atMs }, index) => {
          const before = planned[index];
          expect(atMs).to.be.greaterThan((before?.atMs ?? 0) + (before?.forMs ?? 0));
        });
        for (let from = 0; from < planned.length; from += faultKinds.length) {
          const round = planned.slice(from, from + faultKinds.length).map(({ kind }) => kind);
          expect(new Set(round).size).to.equal(round.length);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
