import { expect } from 'chai';
import { requestOf, stageKit } from './stage-kit.ts';

describe('progress of a stage', () => {
  const { pool, take, read, progress, published, facts, complete } = stageKit();
  const percent = async (): Promise<number | undefined> => (await read(requestOf()))?.percent;

  it('progress of a stage is published when it rises and never goes back', async () => {
    await take(requestOf());
    for (const value of [10, 30, 20, 30, 30.9, 55]) await progress(requestOf(), value, 0);
    expect(await percent()).to.equal(55);
    expect((await published()).map(({ payload }) => payload['percent'])).to.deep.equal([10, 30, 55]);
  });

  it('progress of a stage is published at most every two seconds', async () => {
    await take(requestOf());
    for (const value of [1, 2, 3]) await progress(requestOf(), value);
    await pool().query(`UPDATE chassis.stages SET progressed_at = progressed_at - interval '2 seconds'`);
    await progress(requestOf(), 4);
    expect((await published()).map(({ payload }) => payload['percent'])).to.deep.equal([1, 4]);
  });

  it('progress reported by several replicas is published once', async () => {
    await take(requestOf());
    await Promise.all(Array.from({ length: 8 }, () => progress(requestOf(), 12)));
    expect(await facts()).to.deep.equal(['progressed']);
  });

  it('progress stays at 99 percent until the stage is completed', async () => {
    await take(requestOf());
    await progress(requestOf(), 100);
    expect(await percent()).to.equal(99);
    await complete(requestOf());
    expect(await percent()).to.equal(100);
  });

  it('progress is not published once the stage has ended', async () => {
    await take(requestOf());
    await complete(requestOf());
    await progress(requestOf(), 60);
    expect(await facts()).to.deep.equal(['completed']);
  });
});
