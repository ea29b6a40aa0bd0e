/** Any order of any versions ends in the newest, in the index and in the one that is being filled. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { tombstone } from '../src/domain/document.ts';
import { openTestIndex, documentFor, type TestIndex } from './test-index.ts';
import { clip, newId } from './videos.ts';

const order = fc
  .uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 6 })
  .chain((versions) => fc.tuple(fc.shuffledSubarray(versions, { minLength: versions.length }), fc.nat(50)));

describe('versions', function () {
  this.timeout(60_000);
  let testIndex: TestIndex;
  before(async () => void (testIndex = await openTestIndex()));
  after(() => testIndex.close());

  const versioned = (videoId: string, version: number, live: boolean) =>
    live
      ? documentFor({ clip: clip(videoId, { title: `version ${version}` }), version })
      : { version, document: tombstone(videoId, new Date()) };

  it('versions written in any order, repeatedly and with tombstones, end in the newest', async () => {
    await fc.assert(
      fc.asyncProperty(order, async ([versions, salt]) => {
        const id = newId();
        const isLive = (version: number): boolean => (version + salt) % 3 !== 0;
        for (const version of [...versions, ...versions])
          await testIndex.documents.write([versioned(id, version, isLive(version))]);
        const newest = Math.max(...versions);
        const stored = await testIndex.documents.read(testIndex.indexes.serving, id);
        expect(stored?.version).to.equal(newest);
        expect(stored?.source['live']).to.equal(isLive(newest));
        expect(stored?.source['title']).to.equal(isLive(newest) ? `version ${newest}` : undefined);
      }),
      { numRuns: runs(25) },
    );
  });

  it('a document of the same version is replaced only on demand', async () => {
    const id = newId();
    await testIndex.documents.write([versioned(id, 2, true)]);
    await testIndex.documents.write([versioned(id, 2, false)]);
    expect((await testIndex.documents.read(testIndex.indexes.serving, id))?.source['live']).to.equal(true);
    await testIndex.documents.write([versioned(id, 2, false)], { evenSame: true });
    expect((await testIndex.documents.read(testIndex.indexes.serving, id))?.source['live']).to.equal(false);
  });

  it('versions written concurrently end in the newest', async () => {
    const id = newId();
    await Promise.all([3, 9, 1, 7, 9, 5].map((version) => testIndex.documents.write([versioned(id, version, true)])));
    expect((await testIndex.documents.read(testIndex.indexes.serving, id))?.version).to.equal(9);
  });

  it('versions are written to both indexes during a reindex', async () => {
    const id = newId();
    const index = await testIndex.indexes.make(testIndex.indexes.filling);
    await testIndex.documents.write([versioned(id, 4, true)]);
    expect((await testIndex.documents.read(index, id))?.version).to.equal(4);
    expect((await testIndex.documents.read(testIndex.indexes.serving, id))?.version).to.equal(4);
    await testIndex.indexes.serve(index);
    expect(await testIndex.indexes.behind(testIndex.indexes.serving)).to.equal(index);
    await testIndex.documents.write([versioned(id, 5, false)]);
    expect((await testIndex.documents.read(index, id))?.version).to.equal(5);
  });

  it('a lost alias is restored to the newest index, never to a replaced one', async () => {
    const { indexes, rawIndex } = testIndex;
    const newest = await indexes.make(indexes.filling);
    await indexes.serve(newest);
    await rawIndex.request('POST', '/_aliases', { actions: [{ remove: { index: newest, alias: indexes.serving } }] });
    expect(await indexes.ensure()).to.equal(true);
    expect(await indexes.behind(indexes.serving)).to.equal(newest);
  });

  it('a write never creates an index', async () => {
    const empty = await openTestIndex();
    await empty.rawIndex.wipe();
    try {
      await empty.documents.write([versioned(newId(), 1, true)]);
      expect.fail('it was written');
    } catch (error) {
      expect((error as { code?: string }).code).to.equal('UNAVAILABLE');
    }
    expect(await empty.indexes.all()).to.deep.equal([]);
    await empty.close();
  });
});
