/** The sweep of a new index. */
import { expect } from 'chai';
import { createLogger } from '@vds/chassis/telemetry/log';
import { freePort } from '@vds/testkit/servers/free-port';
import { openSweep } from '../src/outbound/sweep-index.ts';
import { openCatalogClient } from '../src/outbound/catalog-client.ts';
import { openTestIndex, documentFor, type TestIndex } from './test-index.ts';
import { newFakeData, RPC_TOKEN, serveFakes } from './fake-services.ts';
import { clip, newId } from './videos.ts';
import { noTls } from '@vds/testkit/harness/rpc-callers';

describe('the sweep', function () {
  this.timeout(60_000);
  const data = newFakeData();
  let testIndex: TestIndex;
  let fakes: Awaited<ReturnType<typeof serveFakes>>;
  let catalog: ReturnType<typeof openCatalogClient>;

  before(async () => {
    const port = await freePort();
    [testIndex, fakes] = await Promise.all([openTestIndex(), serveFakes(data, port)]);
    catalog = openCatalogClient(`dns:///127.0.0.1:${port}`, { rpcToken: RPC_TOKEN, ...noTls }, 5_000);
  });
  after(async () => {
    await catalog.close();
    await Promise.all([fakes.close(), testIndex.close()]);
  });

  it('a late write of a video that was read before it was archived is rejected by a new index', async () => {
    const { indexes, documents, search } = testIndex;
    const id = newId();
    const stalled = documentFor({ clip: clip(id, { title: 'archived' }), version: data.publish(clip(id)) });
    const archived = data.hide(id);
    const log = createLogger('indexer', 'error', { write: () => {} });
    const sources = { catalog, metadata: { get: async () => undefined }, transcripts: async () => [] };
    const sweep = openSweep({ search, sources, documents, concurrency: 2, log });
    const index = await indexes.make(indexes.filling);
    const done = await sweep.step(indexes.filling, { after: 0, to: 1e9 }, (videos) =>
      documents.writeTo(indexes.filling, videos),
    );
    expect(done).to.include({ seen: 1, written: 1, last: true });
    expect(data.calls.indexable).to.equal(0);
    await indexes.serve(index);
    await documents.write([stalled]);
    expect(await documents.read(index, id)).to.have.property('version', archived);
    expect((await documents.read(index, id))?.source['live']).to.equal(false);
  });

  it('a sweep whose position is beyond the end of a restored list starts again and misses nothing', async () => {
    const { indexes, documents, search } = testIndex;
    const id = newId();
    data.hide(id);
    const log = createLogger('indexer', 'error', { write: () => {} });
    const sources = { catalog, metadata: { get: async () => undefined }, transcripts: async () => [] };
    const sweep = openSweep({ search, sources, documents, concurrency: 2, log });
    await sweep.savePosition(indexes.serving, 1_000_000);
    await sweep.run(indexes.serving, AbortSignal.timeout(20_000));
    expect((await documents.read(indexes.serving, id))?.source['live']).to.equal(false);
  });
});
