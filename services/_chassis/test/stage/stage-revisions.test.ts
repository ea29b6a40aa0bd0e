import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { asking, stageKit } from './stage-kit.ts';

describe('revisions of a stage', () => {
  const { pool, stages, said, words, units, complete, fail } = stageKit();
  const second = asking({ revision: 1, request: { stones: 5 } });

  it('opens an ended stage anew under a higher revision, from the very beginning', async () => {
    await stages().take(asking());
    await stages().enter(asking());
    await stages({ sayEveryMs: 0 }).progress(asking(), 40);
    await complete(asking());
    await stages().take(second);
    expect(await stages().read(pool(), second)).to.deep.equal({
      ...second,
      state: 'open',
      percent: 0,
      answer: null,
      started: false,
    });
    expect(await units()).to.deep.equal(['pan ready', 'pan-r1 ready']);
    expect(await stages().enter(second)).to.deep.equal(second);
    await complete(second);
    expect((await said()).map(({ id }) => id)).to.deep.equal([
      'scales.weigh.started.v1/a/1/0',
      'scales.weigh.progressed.v1/a/1/0/40',
      'scales.weigh.completed.v1/a/1/0',
      'scales.weigh.started.v1/a/1/1',
      'scales.weigh.completed.v1/a/1/1',
    ]);
  });

  it('ignores a higher revision while the stage is open, until it has ended and is asked again', async () => {
    await stages().take(asking());
    await stages().take(second);
    expect(await units()).to.deep.equal(['pan ready']);
    await complete(asking());
    await stages().take(second);
    expect(await units()).to.deep.equal(['pan ready', 'pan-r1 ready']);
  });

  it('ignores a lower revision, whether the stage is open or has ended', async () => {
    await stages().take(second);
    await stages().take(asking());
    await complete(second);
    await stages().take(asking());
    expect(await units()).to.deep.equal(['pan-r1 ready']);
    expect(await words()).to.deep.equal(['completed']);
  });

  it('refuses what a unit of an earlier revision brings late', async () => {
    await stages().take(asking());
    await fail(asking());
    await stages().take(second);
    expect(await stages().enter(asking())).to.equal(undefined);
    expect(await complete(asking())).to.equal(false);
    await stages().progress(asking(), 50);
    expect(await stages().read(pool(), second)).to.include({ state: 'open', percent: 0 });
    expect(await words()).to.deep.equal(['failed']);
  });

  it('says exactly one last word a revision, whatever is asked and ended in whatever order', async () => {
    const step = fc.record({
      what: fc.constantFrom('take', 'take', 'enter', 'complete', 'fail'),
      revision: fc.nat(3),
      times: fc.integer({ min: 1, max: 3 }),
    });
    let group = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const groupKey = `g${(group += 1)}`;
        const took = new Set<number>();
        for (const { what, revision, times } of steps) {
          const asked = asking({ groupKey, revision });
          const act = { take: stages().take, enter: stages().enter, complete, fail }[what];
          await Promise.all(Array.from({ length: times }, () => act(asked)));
          const row = await stages().read(pool(), asked);
          if (row) took.add(row.revision);
        }
        const last = (await stages().read(pool(), { groupKey, attempt: 1 }))?.revision;
        if (last !== undefined) await complete(asking({ groupKey, revision: last }));
        const ends = (await said()).filter(
          ({ id, subject, payload }) =>
            /completed|failed/.test(subject) && payload['groupKey'] === groupKey && !id.includes('/again-'),
        );
        const revisions = ends.map(({ payload }) => payload['revision'] as number);
        expect(revisions).to.deep.equal([...took]);
        expect(revisions).to.deep.equal(revisions.toSorted((a, b) => a - b));
      }),
      { numRuns: runs(40) },
    );
  });
});
