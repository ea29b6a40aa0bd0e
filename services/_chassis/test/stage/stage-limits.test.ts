import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { countedMs, limitsFor, observe, passedLimit, type Stall } from '../../src/stage/stage-limits.ts';

const limits = { stallMs: 1_000, budgetMs: 5_000 };

describe('the limits of a stage', () => {
  it('a stage passes a limit when it is exceeded, not when it is reached', () => {
    expect(passedLimit(limits, { stalledMs: 1_000, workedMs: 5_000 })).to.equal(undefined);
    expect(passedLimit(limits, { stalledMs: 1_001, workedMs: 0 })).to.equal('stalled');
    expect(passedLimit(limits, { stalledMs: 0, workedMs: 5_001 })).to.equal('over_budget');
  });

  it('a long video has a budget of a multiple of its duration, and the same stall time', () => {
    expect(limitsFor(limits, 1_000, 4)).to.deep.equal(limits);
    expect(limitsFor(limits, 2_000, 4)).to.deep.equal({ stallMs: 1_000, budgetMs: 8_000 });
  });

  it('a stage never stalls where each of its marks lasts no longer than the stall time, however many there are', () =>
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(200), { maxLength: 5 }), { maxLength: 50 }), (marks) => {
        let stall: Stall | undefined;
        for (const [mark, ticks] of marks.entries())
          for (const elapsedMs of ticks) {
            stall = observe(stall, String(mark), elapsedMs);
            expect(passedLimit(limits, { stalledMs: stall.ms, workedMs: 0 })).to.equal(undefined);
          }
      }),
      { numRuns: runs(200) },
    ));

  it('a stage whose mark does not change stalls after exactly its stall time, whatever the ticks are', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 50 }), (ticks) => {
        let stall = observe(undefined, 'same', 500);
        for (const elapsedMs of ticks) stall = observe(stall, 'same', elapsedMs);
        const elapsed = ticks.reduce((sum, one) => sum + one, 0);
        const passed = passedLimit(limits, { stalledMs: stall.ms, workedMs: 0 });
        expect(passed).to.equal(elapsed > 1_000 ? 'stalled' : undefined);
      }),
      { numRuns: runs(200) },
    ));

  it('a process that was paused counts two ticks at most, and a clock never counts backwards', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: -3_600_000, max: 3_600_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        (ms, tickMs) => {
          expect(countedMs(ms, tickMs)).to.be.within(0, 2 * tickMs);
          if (ms >= 0 && ms <= 2 * tickMs) expect(countedMs(ms, tickMs)).to.equal(ms);
        },
      ),
      { numRuns: runs(200) },
    ));
});
