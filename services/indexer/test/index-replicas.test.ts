/** How many copies OpenSearch keeps of each index: INDEX_REPLICAS, whatever it was before. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { openHarness, type Harness } from './harness.ts';

type Settings = { readonly settings: { readonly index: Readonly<Record<string, string>> } };

describe('the copies of the index', function () {
  this.timeout(90_000);
  let harness: Harness;
  before(async () => {
    harness = await openHarness({ TIME_SCALE: 'sweepEvery=1s' });
  });
  after(() => harness.close());

  /** `<index> <copies> <auto_expand_replicas>` of every index of this installation. */
  const copies = async (): Promise<string[]> => {
    const { request, prefix } = harness.rawIndex;
    const found = await request<Record<string, Settings>>('GET', `/${prefix}*/_settings?flat_settings=false`);
    return Object.entries(found)
      .map(([index, { settings }]) => {
        const { number_of_replicas: number, auto_expand_replicas: expand = 'false' } = settings.index;
        return `${index.slice(prefix.length)} ${number} ${expand}`;
      })
      .toSorted();
  };
  const become = (wanted: readonly string[]) =>
    until(async () => JSON.stringify(await copies()) === JSON.stringify(wanted), {
      what: `${wanted.join(', ')}`,
      capMs: 20_000,
    });

  it('a new index has one copy by default, or the number set, and is never expanded by itself', async () => {
    const replica = await harness.start();
    await become(['videos-1 1 false']);
    await replica.admin.StartReindex({ actor: 'test', reason: 'to have the other indexes' });
    await until(async () => (await replica.admin.GetReindex({})).state === 'done', { what: 'the reindex' });
    const found = (await copies()).filter((one) => !one.startsWith('videos-1 '));
    expect(found).to.deep.equal(['indexer 1 false', 'videos-2 1 false']);
    await replica.end();
  });

  it('indexes that exist are changed when the service starts, those that expand by themselves included', async () => {
    const { request, prefix } = harness.rawIndex;
    await request('PUT', `/${prefix}*/_settings`, { index: { auto_expand_replicas: '0-1' } });
    const names = (await copies()).map((one) => one.split(' ')[0]);
    for (const INDEX_REPLICAS of ['2', '0']) {
      const replica = await harness.start({ INDEX_REPLICAS });
      await become(names.map((name) => `${name} ${INDEX_REPLICAS} false`));
      await replica.end();
    }
  });
});
