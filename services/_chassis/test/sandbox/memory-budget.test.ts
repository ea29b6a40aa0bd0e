/** Programs that run at a time never take more together than the budget, and each of them gets its turn. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { createMemoryBudget } from '../../src/sandbox/memory-budget.ts';

const never = new AbortController().signal;

describe('the memory of the programs of a process', () => {
  it('programs never take more together than the budget, and every one gets its turn', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 150 }), gaveUp: fc.boolean() }), { maxLength: 30 }),
        async (total, programs) => {
          const budget = createMemoryBudget(total);
          let [taken, ended] = [0, 0];
          const run = async ({ bytes, gaveUp }: (typeof programs)[number]): Promise<void> => {
            const signal = gaveUp ? AbortSignal.timeout(1) : never;
            const [result] = await Promise.allSettled([budget.take(bytes, signal)]);
            ended += 1;
            if (result.status === 'rejected') return;
            const part = result.value;
            taken += part.bytes;
            expect(taken).to.be.at.most(total);
            await delay(0);
            taken -= part.bytes;
            part.release();
          };
          await Promise.all(programs.map(run));
          expect({ taken, ended }).to.deep.equal({ taken: 0, ended: programs.length });
        },
      ),
      { numRuns: runs(50) },
    ));

  it('a program that wants more than all of it runs alone, with all of it', async () => {
    const budget = createMemoryBudget(10);
    const small = await budget.take(4, never);
    const large = budget.take(100, never);
    const behind = budget.take(1, never);
    expect(await Promise.race([large, behind, delay(20, 'waits')])).to.equal('waits');
    small.release();
    const { bytes, release } = await large;
    expect(bytes).to.equal(10);
    release();
    expect((await behind).bytes).to.equal(1);
  });

  it('one that is aborted while it waits holds up nobody', async () => {
    const budget = createMemoryBudget(10);
    const first = await budget.take(6, never);
    const given = new AbortController();
    const second = budget.take(8, given.signal).catch(() => 'aborted');
    const third = budget.take(4, never);
    given.abort();
    expect(await second).to.equal('aborted');
    expect((await third).bytes).to.equal(4);
    first.release();
  });
});
