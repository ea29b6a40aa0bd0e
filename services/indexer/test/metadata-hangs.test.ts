/** Metadata answers nobody: what cannot be written keeps no removal waiting. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { openHouse, type House, type Replica } from './harness.ts';
import { clip, newId } from './videos.ts';

describe('while metadata hangs', function () {
  this.timeout(90_000);
  let house: House;
  let replica: Replica;
  const release = Promise.withResolvers<void>();
  before(async () => {
    house = await openHouse({ SWEEP_EVERY: '60s' });
    replica = await house.start();
  });
  after(async () => {
    release.resolve();
    await house.close();
  });

  const titles = async (): Promise<string[]> =>
    (await replica.apps.Feed({ limit: 50 })).items.map(({ title }) => title);

  it('takes what is archived out of the feed all the same', async () => {
    const archived = newId();
    await house.say(archived, house.known.publish(clip(archived, { title: 'archived' })));
    await until(async () => (await titles()).includes('archived'), { what: 'it is there' });
    house.known.beforeAnswer = async (method) => {
      if (method === 'GetMetadata') await release.promise;
    };
    const waiting = Array.from({ length: 100 }, newId);
    await Promise.all(waiting.map((id) => house.say(id, house.known.publish(clip(id)))));
    await until(async () => house.known.asked.metadata > 4, { what: 'metadata is asked', capMs: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const at = Date.now();
    await house.say(archived, house.known.hide(archived));
    await until(async () => (await titles()).length === 0, { what: 'it is gone', capMs: 40_000 });
    expect(Date.now() - at).to.be.below(5_000);
  });

  it('writes everything once metadata is back', async () => {
    release.resolve();
    await until(async () => (await replica.staff.GetIndexStatus({})).live === 100, {
      what: 'all are there',
      capMs: 60_000,
    });
  });

  it('takes out what no message told of, too, behind videos that cannot be read', async () => {
    const archived = newId();
    await house.say(archived, house.known.publish(clip(archived, { title: 'archived' })));
    await until(async () => (await titles()).includes('archived'), { what: 'it is there' });
    house.known.beforeAnswer = async (method) => {
      if (method === 'GetMetadata') throw new Error('its database is away');
    };
    for (let count = 0; count < 3; count += 1) house.known.publish(clip(newId(), { title: 'unread' }));
    house.known.hide(archived);
    const sweeper = await house.start({ SWEEP_EVERY: '300ms' });
    await until(async () => !(await titles()).includes('archived'), { what: 'it is gone', capMs: 10_000 });
    expect(await titles()).not.to.include('unread');
    house.known.beforeAnswer = async () => {};
    await until(async () => (await titles()).filter((title) => title === 'unread').length === 3, {
      what: 'all are there',
    });
    expect(await sweeper.end()).to.equal(0);
  });
});
