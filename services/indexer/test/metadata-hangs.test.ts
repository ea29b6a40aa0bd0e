/** While metadata hangs: videos that cannot be written delay no tombstone. */
import { expect } from 'chai';
import { lasts, until } from '@vds/testkit/until';
import { openHarness, type Harness, type Replica } from './harness.ts';
import { clip, newId } from './videos.ts';

describe('while metadata hangs', function () {
  this.timeout(90_000);
  let harness: Harness;
  let replica: Replica;
  const release = Promise.withResolvers<void>();
  before(async () => {
    harness = await openHarness({ TIME_SCALE: 'sweepEvery=60s' });
    replica = await harness.start();
  });
  after(async () => {
    release.resolve();
    await harness.close();
  });

  const titles = async (): Promise<string[]> =>
    (await replica.apps.Feed({ limit: 50 })).items.map(({ title }) => title);

  it('an archived video leaves the feed while metadata hangs', async () => {
    const archived = newId();
    await harness.publishChanged(archived, harness.data.publish(clip(archived, { title: 'archived' })));
    await until(async () => (await titles()).includes('archived'), { what: 'it is there' });
    harness.data.beforeReply = async (method) => {
      if (method === 'GetMetadata') await release.promise;
    };
    const waiting = Array.from({ length: 100 }, newId);
    await Promise.all(waiting.map((id) => harness.publishChanged(id, harness.data.publish(clip(id)))));
    await until(async () => harness.data.calls.metadata > 4, { what: 'metadata is called', capMs: 20_000 });
    await lasts(6_000);
    const at = Date.now();
    await harness.publishChanged(archived, harness.data.hide(archived));
    await until(async () => (await titles()).length === 0, { what: 'it is gone', capMs: 40_000 });
    expect(Date.now() - at).to.be.below(5_000);
  });

  it('every change is written once metadata is back', async () => {
    release.resolve();
    await until(async () => (await replica.admin.GetIndexStatus({})).live === 100, {
      what: 'all are there',
      capMs: 60_000,
    });
  });

  it('the sweep writes tombstones after videos that cannot be read while metadata hangs', async () => {
    const archived = newId();
    await harness.publishChanged(archived, harness.data.publish(clip(archived, { title: 'archived' })));
    await until(async () => (await titles()).includes('archived'), { what: 'it is there' });
    harness.data.beforeReply = async (method) => {
      if (method === 'GetMetadata') throw new Error('its database is unavailable');
    };
    for (let count = 0; count < 3; count += 1) harness.data.publish(clip(newId(), { title: 'unread' }));
    harness.data.hide(archived);
    const sweeper = await harness.start({ TIME_SCALE: 'sweepEvery=300ms' });
    await until(async () => !(await titles()).includes('archived'), { what: 'it is gone', capMs: 10_000 });
    expect(await titles()).not.to.include('unread');
    harness.data.beforeReply = async () => {};
    await until(async () => (await titles()).filter((title) => title === 'unread').length === 3, {
      what: 'all are there',
    });
    expect(await sweeper.end()).to.equal(0);
  });
});
