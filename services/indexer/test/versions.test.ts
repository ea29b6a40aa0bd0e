/** Any order of any versions ends in the newest, in the index and in the one that is being filled. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { tombstone } from '../src/domain/document.ts';
import { openShelf, shelve, type Shelf } from './shelf.ts';
import { clip, newId } from './videos.ts';

const order = fc
  .uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 6 })
  .chain((versions) => fc.tuple(fc.shuffledSubarray(versions, { minLength: versions.length }), fc.nat(50)));

describe('versions', function () {
  this.timeout(60_000);
  let shelf: Shelf;
  before(async () => void (shelf = await openShelf()));
  after(() => shelf.close());

  const versioned = (videoId: string, version: number, live: boolean) =>
    live
      ? shelve({ clip: clip(videoId, { title: `version ${version}` }), version })
      : { version, document: tombstone(videoId, new Date()) };

  it('in any order, repeated, tombstones among them, end in the newest', async () => {
    await fc.assert(
      fc.asyncProperty(order, async ([versions, salt]) => {
        const id = newId();
        const isLive = (version: number): boolean => (version + salt) % 3 !== 0;
        for (const version of [...versions, ...versions])
          await shelf.documents.write([versioned(id, version, isLive(version))]);
        const newest = Math.max(...versions);
        const stored = await shelf.documents.read(shelf.indexes.serving, id);
        expect(stored?.version).to.equal(newest);
        expect(stored?.source['live']).to.equal(isLive(newest));
        expect(stored?.source['title']).to.equal(isLive(newest) ? `version ${newest}` : undefined);
      }),
      { numRuns: runs(25) },
    );
  });

  it('that are the same do not replace each other, unless a video is read anew on demand', async () => {
    const id = newId();
    await shelf.documents.write([versioned(id, 2, true)]);
    await shelf.documents.write([versioned(id, 2, false)]);
    expect((await shelf.documents.read(shelf.indexes.serving, id))?.source['live']).to.equal(true);
    await shelf.documents.write([versioned(id, 2, false)], { evenSame: true });
    expect((await shelf.documents.read(shelf.indexes.serving, id))?.source['live']).to.equal(false);
  });

  it('written at once, all together, end in the newest', async () => {
    const id = newId();
    await Promise.all([3, 9, 1, 7, 9, 5].map((version) => shelf.documents.write([versioned(id, version, true)])));
    expect((await shelf.documents.read(shelf.indexes.serving, id))?.version).to.equal(9);
  });

  it('are written to both indexes while one is being filled', async () => {
    const id = newId();
    const index = await shelf.indexes.make(shelf.indexes.filling);
    await shelf.documents.write([versioned(id, 4, true)]);
    expect((await shelf.documents.read(index, id))?.version).to.equal(4);
    expect((await shelf.documents.read(shelf.indexes.serving, id))?.version).to.equal(4);
    await shelf.indexes.serve(index);
    expect(await shelf.indexes.behind(shelf.indexes.serving)).to.equal(index);
    await shelf.documents.write([versioned(id, 5, false)]);
    expect((await shelf.documents.read(index, id))?.version).to.equal(5);
  });

  it('of a replaced index are never served again: a lost alias comes back to the newest one', async () => {
    const { indexes, ground } = shelf;
    const newest = await indexes.make(indexes.filling);
    await indexes.serve(newest);
    await ground.ask('POST', '/_aliases', { actions: [{ remove: { index: newest, alias: indexes.serving } }] });
    expect(await indexes.ensure()).to.equal(true);
    expect(await indexes.behind(indexes.serving)).to.equal(newest);
  });

  it('make no index where there is none', async () => {
    const empty = await openShelf();
    await empty.ground.wipe();
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
