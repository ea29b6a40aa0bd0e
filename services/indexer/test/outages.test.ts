/** Outages of services and OpenSearch, deleted indexes, killed processes: no change is lost, without any intervention. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { until } from '@vds/testkit/until';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { openPrefix, openHarness, type Harness, type Replica } from './harness.ts';
import { clip, newId } from './videos.ts';

describe('outages', function () {
  this.timeout(90_000);
  let harness: Harness;
  let replica: Replica;
  let proxy: CuttingProxy;

  before(async () => {
    proxy = await openCuttingProxy(openPrefix().url);
    harness = await openHarness({ TIME_SCALE: 'sweepEvery=60s' }, proxy.url);
    replica = await harness.start();
  });
  after(async () => {
    await harness.close();
    await proxy.close();
  });

  const titles = async (): Promise<string[]> =>
    (await replica.apps.Feed({ limit: 50 })).items.map(({ title }) => title);
  const publish = async (title: string): Promise<string> => {
    const id = newId();
    await harness.publishChanged(id, harness.data.publish(clip(id, { title })));
    return id;
  };
  const shows = (title: string) =>
    until(async () => (await titles()).includes(title), { what: `${title} is shown`, capMs: 40_000 });
  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return 'OK';
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };

  it('changes during an outage of catalog and metadata are written when they are back', async () => {
    await publish('before');
    await shows('before');
    await harness.stopFakes();
    await publish('meanwhile');
    await until(async () => /outcome="retried"[^}]*\} [3-9]/.test(await replica.metrics()), {
      what: 'it is tried again',
    });
    expect(await titles()).to.include('before');
    await harness.startFakes();
    await shows('meanwhile');
  });

  it('during an outage of OpenSearch queries are UNAVAILABLE, changes wait and the process stays ready', async () => {
    proxy.refuse();
    await publish('during');
    for (const work of [replica.apps.Search({ query: 'a' }), replica.apps.Feed({}), replica.apps.Recommend({ videoIds: [newId()] })])
      expect(await codeOf(work)).to.equal('UNAVAILABLE'); // prettier-ignore
    expect((await replica.readyz()).status).to.equal(200);
    expect(await replica.metrics()).to.include('vds_indexer_lag_seconds');
    proxy.cut();
    await shows('during');
  });

  it('a process that starts during an outage of OpenSearch is ready only after it', async () => {
    proxy.refuse();
    const late = await harness.start({ TIME_SCALE: 'sweepEvery=200ms' }, false);
    await until(async () => (await late.readyz()).status === 503, { what: 'it is up and not ready' });
    proxy.cut();
    await until(async () => (await late.readyz()).ok, { what: 'it is ready' });
    expect(await late.end()).to.equal(0);
  });

  it('a deleted index is created again and filled from the owners’ data', async () => {
    const fast = await harness.start({ TIME_SCALE: 'sweepEvery=200ms' });
    await harness.rawIndex.wipe();
    const wanted = ['before', 'meanwhile', 'during'];
    await until(async () => (await titles()).length === wanted.length, {
      what: 'all are back',
    });
    expect(await titles()).to.have.members(wanted);
    await harness.rawIndex.request('POST', '/_aliases', { actions: [{ remove: { index: `${harness.rawIndex.prefix}videos-1`, alias: `${harness.rawIndex.prefix}videos` } }] }); // prettier-ignore
    await until(async () => (await titles()).length === 3, { what: 'the alias is back' });
    await fast.end();
  });

  it('every change is written after a kill of the process and the loss of the NATS store', async () => {
    const victim = await harness.start({ TIME_SCALE: 'sweepEvery=300ms' });
    const made = Array.from({ length: 40 }, (_empty, at) => `killed ${at}`);
    const ids = await Promise.all(made.slice(0, 20).map(publish));
    await victim.end('SIGKILL');
    await harness.nats.wipe();
    for (const [at, title] of made.slice(20).entries()) harness.data.publish(clip(ids[at] ?? newId(), { title }));
    const heir = await harness.start({ TIME_SCALE: 'sweepEvery=300ms' });
    await until(async () => (await heir.admin.GetIndexStatus({})).live === 23, { what: 'all are there' });
    const shown = (await heir.apps.Feed({ limit: 50 })).items.map(({ title }) => title);
    expect(shown).to.include.members(made.slice(20));
    await heir.end();
  });
});
