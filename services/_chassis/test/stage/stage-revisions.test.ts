import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { requestOf, stageKit } from './stage-kit.ts';

describe('revisions of a stage', () => {
  const { take, enter, read, progress, published, facts, jobs, complete, fail } = stageKit();
  const second = requestOf({ revision: 1, request: { stones: 5 } });

  it('a higher revision reopens an ended stage from its beginning', async () => {
    await take(requestOf());
    await enter(requestOf());
    await progress(requestOf(), 40, 0);
    await complete(requestOf());
    await take(second);
    expect(await read(second)).to.deep.equal({
      ...second,
      state: 'open',
      percent: 0,
      result: null,
      started: false,
      workedMs: 0,
    });
    expect(await jobs()).to.deep.equal(['pan ready', 'pan (1) ready']);
    expect(await enter(second)).to.deep.include(second);
    await complete(second);
    expect((await published()).map(({ id }) => id)).to.deep.equal([
      'scales.weigh.started.v1/a/1/0',
      'scales.weigh.progressed.v1/a/1/0/40',
      'scales.weigh.completed.v1/a/1/0',
      'scales.weigh.started.v1/a/1/1',
      'scales.weigh.completed.v1/a/1/1',
    ]);
  });

  it('a higher revision is ignored while the stage is open, and opens it when requested again after its end', async () => {
    await take(requestOf());
    await take(second);
    expect(await jobs()).to.deep.equal(['pan ready']);
    await complete(requestOf());
    await take(second);
    expect(await jobs()).to.deep.equal(['pan ready', 'pan (1) ready']);
  });

  it('a lower revision is ignored, whether the stage is open or has ended', async () => {
    await take(second);
    await take(requestOf());
    await complete(second);
    await take(requestOf());
    expect(await jobs()).to.deep.equal(['pan (1) ready']);
    expect(await facts()).to.deep.equal(['completed']);
  });

  it('the late result of a job of an earlier revision is rejected', async () => {
    await take(requestOf());
    await fail(requestOf());
    await take(second);
    expect(await enter(requestOf())).to.equal(undefined);
    expect(await complete(requestOf())).to.equal(false);
    await progress(requestOf(), 50);
    expect(await read(second)).to.include({ state: 'open', percent: 0 });
    expect(await facts()).to.deep.equal(['failed']);
  });

  it('every revision gets exactly one terminal event, whatever the order of requests and ends', async () => {
    const step = fc.record({
      what: fc.constantFrom('take', 'take', 'enter', 'complete', 'fail'),
      revision: fc.nat(3),
      times: fc.integer({ min: 1, max: 3 }),
    });
    let videos = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const videoId = `v${(videos += 1)}`;
        const took = new Set<number>();
        for (const { what, revision, times } of steps) {
          const request = requestOf({ videoId, revision });
          const act = { take: take, enter: enter, complete, fail }[what];
          await Promise.all(Array.from({ length: times }, () => act(request)));
          const row = await read(request);
          if (row) took.add(row.revision);
        }
        const last = (await read(requestOf({ videoId })))?.revision;
        if (last !== undefined) await complete(requestOf({ videoId, revision: last }));
        const ends = (await published()).filter(
          ({ id, subject, payload }) =>
            /completed|failed/.test(subject) && payload['videoId'] === videoId && !id.includes('/again-'),
        );
        const revisions = ends.map(({ payload }) => payload['revision'] as number);
        expect(revisions).to.deep.equal([...took]);
        expect(revisions).to.deep.equal(revisions.toSorted((a, b) => a - b));
      }),
      { numRuns: runs(40) },
    );
  });
});
