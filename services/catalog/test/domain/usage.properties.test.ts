/** A publisher's usage is counted once, and its storage is checked before anything is encoded. */
import { expect } from 'chai';
import fc from 'fast-check';
import { changeBudgets, describeBudgets, usageOf, type Budgets } from '../../src/domain/usage.ts';
import { runs } from '@vds/testkit/counts';
import { amounts, ladder, play, sequence, type Moment } from './play.ts';

const quotaCode = 'publisher_quota_exceeded';

/** The attempts in which a stage has ever completed. */
function attemptsOf(moments: readonly Moment[], stage: string): number {
  const completed = moments.flatMap(({ after }) =>
    after.stages.filter((one) => one.stage === stage && one.state === 'completed').map(({ attempt }) => attempt),
  );
  return new Set(completed).size;
}

describe('the usage of any sequence of commands and events', () => {
  it('each attempt counts once, and storage counts what can be played or republished', () =>
    fc.assert(
      fc.property(sequence({ maxLength: 40 }), (steps) => {
        const moments = play(steps);
        const used = moments.map(({ before, after }) => usageOf(before, after));
        const total = (name: keyof (typeof used)[number]): number => used.reduce((sum, one) => sum + one[name], 0);
        expect(total('fetchedBytes')).to.equal(amounts.sourceBytes * attemptsOf(moments, 'fetch'));
        expect(total('mediaMs')).to.equal(amounts.durationMs * attemptsOf(moments, 'inspect'));
        let stored = 0;
        for (const [index, { after }] of moments.entries()) {
          stored += used[index]?.storedBytes ?? 0;
          const kept = after.video.state === 'ready' || after.video.state === 'archived';
          expect(stored).to.equal(kept ? amounts.storedBytes : 0);
        }
      }),
      { numRuns: runs(2_000) },
    ));

  it('from when the storage is spent nothing new is encoded, and no encoding that was requested is cut off', () =>
    fc.assert(
      fc.property(sequence({ maxLength: 40 }), fc.nat(40), (steps, spentFrom) => {
        const moments = play(steps, (index) => ({ storageSpent: index >= spentFrom }));
        for (const [index, { before, after, requests }] of moments.entries()) {
          if (requests.some(({ stage }) => stage === 'encode')) expect(index).to.be.below(spentFrom);
          if (after.video.failure?.code !== quotaCode || before.video.failure?.code === quotaCode) continue;
          expect(index).to.be.at.least(spentFrom);
          expect(before.video.state).to.equal('processing');
          expect(before.stages.map(({ stage }) => stage)).to.not.include('encode');
        }
      }),
      { numRuns: runs(2_000) },
    ));

  it('a video of a publisher without storage fails once its source is stored, and with storage it becomes ready', () => {
    const failed = play(ladder(), () => ({ storageSpent: true })).map(({ after }) => after.video);
    expect(failed.map(({ state }) => state)).to.deep.equal(['failed', 'failed', 'failed', 'failed']);
    expect(failed.at(-1)?.failure).to.deep.equal({ code: quotaCode, stage: 'encode', details: {} });
    const begun = play([...ladder(), { do: 'wait', ms: 3_600_000 }], (index) => ({ storageSpent: index > 0 }));
    expect(begun.at(-1)?.after.video.state).to.equal('ready');
  });
});

describe('the budgets of a publisher', () => {
  const value = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  const budget = fc.option(value, { nil: null });
  const budgets: fc.Arbitrary<Budgets> = fc.record({ mediaMinutes: budget, fetchedBytes: budget, storedBytes: budget });
  const change = fc.option(fc.oneof(value, fc.constant(0)), { nil: undefined });
  const changes = fc.record({ mediaMinutes: change, fetchedBytes: change, storedBytes: change });

  it('a change sets what it names, removes what it sets to 0 and leaves the rest', () =>
    fc.assert(
      fc.property(budgets, changes, (before, wanted) => {
        const given = Object.values(wanted).some((one) => one !== undefined);
        if (!given) return void expect(() => changeBudgets(before, wanted)).to.throw('at least one budget');
        const after = changeBudgets(before, wanted);
        for (const name of ['mediaMinutes', 'fetchedBytes', 'storedBytes'] as const) {
          const set = wanted[name];
          expect(after[name]).to.equal(set === undefined ? before[name] : set === 0 ? null : set);
          const shown = after[name] === null || describeBudgets(after).includes(String(after[name]));
          expect(shown, describeBudgets(after)).to.equal(true);
        }
        expect(changeBudgets(after, wanted)).to.deep.equal(after);
      }),
    ));

  it('a budget that is not a whole number is rejected', () => {
    const none: Budgets = { mediaMinutes: null, fetchedBytes: null, storedBytes: null };
    for (const mediaMinutes of [-1, 0.5, Number.NaN, 2 ** 53])
      expect(() => changeBudgets(none, { mediaMinutes })).to.throw('whole number');
    expect(describeBudgets(none)).to.equal('no budgets');
  });
});
