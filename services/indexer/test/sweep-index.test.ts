/** What the sweep leaves in an index that is made anew. */
import { expect } from 'chai';
import { createLogger } from '@vds/chassis/telemetry/log';
import { freePort } from '@vds/testkit/servers/free-port';
import { openSweep } from '../src/outbound/sweep-index.ts';
import { openCatalog } from '../src/outbound/service-clients.ts';
import { openShelf, shelve, type Shelf } from './shelf.ts';
import { newKnown, noTls, RPC_TOKEN, servePeers } from './service-clients.ts';
import { clip, newId } from './videos.ts';

describe('the sweep', function () {
  this.timeout(60_000);
  const known = newKnown();
  let shelf: Shelf;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let catalog: ReturnType<typeof openCatalog>;

  before(async () => {
    const port = await freePort();
    [shelf, peers] = await Promise.all([openShelf(), servePeers(known, port)]);
    catalog = openCatalog(`dns:///127.0.0.1:${port}`, { rpcToken: RPC_TOKEN, ...noTls }, 5_000);
  });
  after(async () => {
    await catalog.close();
    await Promise.all([peers.close(), shelf.close()]);
  });

  it('lets nobody who read a video before it was archived bring it back into a new index', async () => {
    const { indexes, documents, search } = shelf;
    const id = newId();
    const stalled = shelve({ clip: clip(id, { title: 'archived' }), version: known.publish(clip(id)) });
    const archived = known.hide(id);
    const log = createLogger('indexer', 'error', { write: () => {} });
    const truth = { catalog, metadata: { get: async () => undefined }, spoken: { of: async () => [] } };
    const sweep = openSweep({ search, truth, documents, concurrency: 2, log });
    const index = await indexes.make(indexes.filling);
    const done = await sweep.step(indexes.filling, 0, (given) => documents.writeTo(indexes.filling, given));
    expect(done).to.include({ seen: 1, written: 1, last: true });
    expect(known.asked.indexable).to.equal(0);
    await indexes.serve(index);
    await documents.write([stalled]);
    expect(await documents.read(index, id)).to.have.property('version', archived);
    expect((await documents.read(index, id))?.source['live']).to.equal(false);
  });
});
