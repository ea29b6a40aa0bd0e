import { expect } from 'chai';
import { openStages } from '../../src/stage/stages.ts';
import { asking, stageKit } from './stage-kit.ts';

describe('progress of a stage', () => {
  const { pool, stages, said, words, complete } = stageKit();
  const percent = async (): Promise<number | undefined> => (await stages().read(pool(), asking()))?.percent;

  it('is said when it rises and never goes back', async () => {
    await stages().take(asking());
    const prompt = stages({ sayEveryMs: 0 });
    for (const value of [10, 30, 20, 30, 30.9, 55]) await prompt.progress(asking(), value);
    expect(await percent()).to.equal(55);
    expect((await said()).map(({ payload }) => payload['percent'])).to.deep.equal([10, 30, 55]);
  });

  it('is said at most every two seconds', async () => {
    await stages().take(asking());
    for (const value of [1, 2, 3]) await stages().progress(asking(), value);
    await pool().query(`UPDATE chassis.stages SET said_at = said_at - interval '2 seconds'`);
    await stages().progress(asking(), 4);
    expect((await said()).map(({ payload }) => payload['percent'])).to.deep.equal([1, 4]);
  });

  it('is said once where replicas say the same', async () => {
    await stages().take(asking());
    await Promise.all(Array.from({ length: 8 }, () => stages().progress(asking(), 12)));
    expect(await words()).to.deep.equal(['progressed']);
  });

  it('leaves the hundred to the last word', async () => {
    await stages().take(asking());
    await stages().progress(asking(), 100);
    expect(await percent()).to.equal(99);
    await complete(asking());
    expect(await percent()).to.equal(100);
  });

  it('is silent once the stage has ended', async () => {
    await stages().take(asking());
    await complete(asking());
    await stages().progress(asking(), 60);
    expect(await words()).to.deep.equal(['completed']);
  });

  it('is written down by a stage that says none', async () => {
    const said = { subject: 's', messageId: 'm', payload: Buffer.from('{}'), traceparent: null };
    const publisher = { started: () => said, completed: () => said, failed: () => said };
    const mute = openStages({ pool: pool(), stage: 'weigh', publisher, wake: () => {}, begin: async () => {} });
    await mute.take(asking());
    await mute.progress(asking(), 60);
    expect(await percent()).to.equal(60);
    expect(await words()).to.deep.equal([]);
  });
});
