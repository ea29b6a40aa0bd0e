/** A reindex under concurrent writes and queries: no query misses a video, and a killed reindex is finished. */
import { expect } from 'chai';
import { lasts, until } from '@vds/testkit/until';
import { openHarness, type Harness, type Replica } from './harness.ts';
import { clip, newId } from './videos.ts';

describe('a reindex', function () {
  this.timeout(240_000);
  let harness: Harness;
  let replica: Replica;

  before(async () => {
    harness = await openHarness({ TIME_SCALE: 'sweepEvery=1s,oldIndexKeep=500ms,reindexLease=1500ms' });
    replica = await harness.start();
  });
  after(() => harness.close());

  const publish = (id: string, title: string): Promise<void> =>
    harness.publishChanged(id, harness.data.publish(clip(id, { title, tags: ['steady'], sport: 'golf' })));
  const done = (calls: Replica, to: string) =>
    until(
      async () => {
        const state = await calls.admin.GetReindex({});
        return state.state === 'done' && state.toIndex.endsWith(to) && state;
      },
      { what: 'the reindex is done', capMs: 180_000 },
    );
  const indexes = async (): Promise<string[]> =>
    Object.keys(await harness.rawIndex.request<object>('GET', `/${harness.rawIndex.prefix}videos-*/_alias`));

  it('no query misses a video during a reindex while others are written', async () => {
    const steady = Array.from({ length: 30 }, newId);
    await Promise.all(steady.map((id, at) => publish(id, `steady ${at}`)));
    const count = async (): Promise<number> => (await replica.apps.Feed({ sport: 'golf', limit: 50 })).items.length;
    await until(async () => (await count()) === 30, { what: 'all are there' });
    const seen = new Set<number>();
    let going = true;
    const searching = (async () => {
      while (going) {
        const { hits } = await replica.apps.Search({ query: 'steady', limit: 50 });
        seen.add(hits.filter(({ item }) => item?.title.startsWith('steady')).length);
        seen.add(await count());
      }
    })();
    const writing = (async () => {
      for (let round = 0; going; round += 1) await publish(steady[round % 30] ?? '', `steady ${round}`);
    })();
    try {
      const begun = await replica.admin.StartReindex({ actor: 'test', reason: 'to see' });
      expect(begun.state).to.equal('running');
      const again = await replica.admin.StartReindex({ actor: 'test', reason: 'twice' });
      expect(again.startedAt).to.equal(begun.startedAt);
      const finished = await done(replica, 'videos-2');
      expect(finished.seen).to.be.at.least(30);
    } finally {
      going = false;
      await Promise.all([searching, writing]);
    }
    expect([...seen]).to.deep.equal([30]);
    // Events published in the meantime are consumed before the next test fills an index.
    const last = newId();
    await publish(last, 'last');
    await until(async () => (await count()) === 31, { what: 'the last one is there' });
    await harness.publishChanged(last, harness.data.hide(last));
    await until(async () => (await count()) === 30, { what: 'it is gone again' });
    await until(async () => (await indexes()).length === 1, { what: 'the old index is gone' });
    expect(await indexes()).to.deep.equal([`${harness.rawIndex.prefix}videos-2`]);
  });

  it('a reindex leaves out no video during a short error of another service', async () => {
    const troubled = newId();
    await publish(troubled, 'troubled');
    await until(async () => (await replica.apps.Feed({ sport: 'golf', limit: 50 })).items.length === 31, {
      what: 'it is there',
    });
    let failures = 0;
    harness.data.beforeReply = async (method, videoId) => {
      if (method !== 'GetMetadata' || videoId !== troubled || (failures += 1) > 2) return;
      throw new Error('its database restarts'); // INTERNAL at the wire
    };
    await replica.admin.StartReindex({ actor: 'test', reason: 'with a service in trouble' });
    await until(async () => failures > 0, { what: 'the service was called' });
    await until(async () => failures > 2 && (await replica.admin.GetReindex({})).state === 'done', {
      what: 'the reindex is done',
      capMs: 180_000,
      everyMs: 500,
    });
    expect((await replica.apps.Feed({ sport: 'golf', limit: 50 })).items.map(({ title }) => title)).to.include(
      'troubled',
    );
    harness.data.hide(troubled);
    await harness.publishChanged(troubled, 2);
    await until(async () => (await replica.apps.Feed({ sport: 'golf', limit: 50 })).items.length === 30, {
      what: 'it is gone again',
    });
  });

  it('a reindex is finished by another replica when its own is killed', async () => {
    let held = true;
    const open = Promise.withResolvers<void>();
    harness.data.beforeReply = async (method) => {
      if (held && method === 'GetIndexable') await open.promise;
    };
    const victim = await harness.start();
    await victim.admin.StartReindex({ actor: 'test', reason: 'to be killed' });
    await until(async () => (await indexes()).length === 2, { what: 'the new index is there' });
    await victim.end('SIGKILL');
    held = false;
    open.resolve();
    const finished = await done(replica, 'videos-4');
    expect(finished.seen).to.be.at.least(30);
    expect((await replica.apps.Feed({ sport: 'golf', limit: 50 })).items).to.have.length(30);
  });

  it('a replica keeps its reindex through a step that takes longer than the lease', async () => {
    const other = await harness.start();
    const open = Promise.withResolvers<void>();
    harness.data.beforeReply = async (method) => {
      if (method === 'GetIndexable') await open.promise;
    };
    await replica.admin.StartReindex({ actor: 'test', reason: 'with a slow step' });
    await until(async () => (await indexes()).length === 2, { what: 'the new index is there' });
    await lasts(4_000); // more than twice the lease, less than a call may take
    open.resolve();
    await done(replica, 'videos-5');
    expect(other.output()).to.not.include('reindex finished');
    await other.end();
  });

  it('a reindex that found less than half of the served videos is not served, unless the operator forces it', async () => {
    // Events consumed during a reindex reach the new index too, whatever the list has.
    await until(harness.isConsumed, { what: 'the events of the tests before are consumed', capMs: 180_000 });
    harness.data.hidden = true;
    const { prefix } = harness.rawIndex;
    await replica.admin.StartReindex({ actor: 'test', reason: 'beside an empty list' });
    const failed = await until(
      async () => {
        const state = await replica.admin.GetReindex({});
        return state.state !== 'running' && state;
      },
      { what: 'the reindex has ended', capMs: 180_000 },
    );
    expect(failed).to.include({ state: 'failed' });
    expect(failed.error).to.match(/has \d live videos and the served one 30/);
    expect(await indexes())
      .to.include(`${prefix}videos-5`)
      .and.not.include(`${prefix}videos-6`);
    expect((await replica.apps.Feed({ sport: 'golf', limit: 50 })).items).to.have.length(30);
    harness.data.hidden = false;
    await replica.admin.StartReindex({ actor: 'test', reason: 'with the list again', force: true });
    await done(replica, 'videos-6');
    expect((await replica.apps.Feed({ sport: 'golf', limit: 50 })).items).to.have.length(30);
  });

  it('a reindex is due when the served index has an older mapping, and starts automatically where configured', async () => {
    const { prefix, request } = harness.rawIndex;
    const old = { _meta: { mapping_version: 0 } };
    await request('PUT', `/${prefix}videos/_mapping`, old);
    const eager = await harness.start({ REINDEX_ON_BOOT: 'true' });
    await done(eager, 'videos-7');
    await until(async () => /vds_indexer_reindex_due\{[^}]*\} 0/.test(await eager.metrics()), { what: 'none is due' });
    expect(eager.output()).to.include('reindex due');
    expect((await replica.apps.Feed({ sport: 'golf', limit: 50 })).items).to.have.length(30);
  });

  it('a reindex waits while catalog replies with errors, and then continues', async () => {
    let isFailing = true;
    harness.data.beforeReply = async (method) => {
      if (method === 'ListVideos' && isFailing) throw new Error('it restarts'); // INTERNAL at the wire
    };
    const state = () => replica.admin.GetReindex({});
    const begun = await replica.admin.StartReindex({ actor: 'test', reason: 'beside a restart of catalog' });
    const isWaiting = async () => replica.output().includes('reindex waits') || (await state()).state !== 'running';
    await until(isWaiting, { what: 'the list was asked for' });
    expect(await state()).to.include({ state: 'running', startedAt: begun.startedAt });
    isFailing = false;
    await until(async () => (await state()).state !== 'running', { what: 'the reindex has ended', capMs: 180_000 });
    expect(await state()).to.include({ state: 'done', startedAt: begun.startedAt });
  });
});
