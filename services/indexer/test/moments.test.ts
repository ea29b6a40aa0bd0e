/** The feed of key moments. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { KeyMoment } from '@vds/proto/generated/vds/metadata/v1/KeyMoment.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { runs } from '@vds/testkit/counts';
import { momentFieldsOf, type MomentFields } from '../src/domain/moments.ts';
import { openTestIndex, type TestIndex } from './test-index.ts';
import { clip, newId } from './videos.ts';

const DAY_MS = 86_400_000;

function moment(score: number, more: KeyMoment = {}): KeyMoment {
  return {
    ...{ startMs: 60_000, endMs: 72_000, score, reasons: ['crowd', 'commentary'] },
    ...{ title: `What a goal, ${score}!`, languageCode: 'en', ...more },
  };
}
function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

describe('the feed of moments', function () {
  this.timeout(60_000);
  let testIndex: TestIndex;
  beforeEach(async () => void (testIndex = await openTestIndex()));
  afterEach(() => testIndex.close());

  const put = async (days: number, moments: readonly KeyMoment[], more: object = {}): Promise<string> => {
    const id = newId();
    await testIndex.put({ clip: clip(id, { publisherId: id, publishedAt: daysAgo(days), ...more }), moments });
    return id;
  };
  const shown = async (request: Parameters<TestIndex['moments']>[0] = {}): Promise<string[]> =>
    (await testIndex.moments(request)).moments.map(({ item, score }) => `${item?.videoId} ${score}`);

  it('each moment has its excerpt, title, reasons, score and the item of its video, and videos without one are not there', async () => {
    const id = await put(1, [moment(0.5, { startMs: 5_000, endMs: 15_000 })], { title: 'The final', sport: 'soccer' });
    await put(0, []);
    const { moments, nextCursor } = await testIndex.moments();
    expect(nextCursor).to.equal('');
    expect(moments).to.have.length(1);
    expect(moments[0]).to.deep.include({
      ...{ startMs: 5_000, endMs: 15_000, title: 'What a goal, 0.5!', languageCode: 'en', score: 0.5 },
      reasons: ['crowd', 'commentary'],
    });
    expect(moments[0]?.item).to.deep.include({
      videoId: id,
      title: 'The final',
      playbackId: `pb${id}`,
      sport: 'soccer',
    });
    expect((await testIndex.feed()).items.map(({ videoId }) => videoId)).to.include(id);
  });

  it('newer and better moments come first, at most three of a video, its best ones', async () => {
    const old = await put(10, [moment(1)]);
    const great = await put(2, [moment(0.9)]);
    const small = await put(
      1,
      [0.1, 0.3, 0.2, 0.25].map((score) => moment(score)),
    );
    expect(await shown()).to.deep.equal([`${great} 0.9`, `${small} 0.3`, `${small} 0.25`, `${small} 0.2`, `${old} 1`]);
    expect(await shown({ limit: 1 })).to.deep.equal([`${great} 0.9`]);
  });

  it('the feed of moments has the filters of the feed of videos', async () => {
    const tennis = await put(1, [moment(0.4)], { sport: 'tennis', publisherId: 'pub-a' });
    await put(1, [moment(0.6)], { sport: 'soccer', publisherId: 'pub-b' });
    expect(await shown({ sport: 'tennis' })).to.deep.equal([`${tennis} 0.4`]);
    expect(await shown({ publisherId: 'pub-a' })).to.deep.equal([`${tennis} 0.4`]);
    expect(await shown({ category: 'comedy' })).to.deep.equal([]);
  });

  it('pages have each moment that a feed shows once, and a cursor is valid for its query alone', async () => {
    for (let at = 0; at < 12; at += 1) await put(at, [moment(0.5), moment(0.4)].slice(at % 2));
    const pages = [await testIndex.moments({ limit: 7 })];
    for (let { nextCursor: cursor } = pages[0]!; cursor !== ''; cursor = pages.at(-1)!.nextCursor)
      pages.push(await testIndex.moments({ limit: 7, cursor }));
    const seen = pages.flatMap(({ moments }) => moments.map(({ item, score }) => `${item?.videoId} ${score}`));
    expect([seen.length, new Set(seen).size]).to.deep.equal([18, 18]);
    for (const { moments } of pages) expect(moments.length).to.be.at.most(7);
    const [{ nextCursor: cursor }] = pages as [(typeof pages)[0]];
    for (const other of [{ limit: 8 }, { limit: 7, sport: 'tennis' }])
      await testIndex.moments({ ...other, cursor }).then(
        () => expect.fail('it was accepted'),
        ({ code }: { code: string }) => expect(code).to.equal('INVALID_ARGUMENT'),
      );
  });

  it('what is not live is in no list: its moments go with it, from the document too', async () => {
    const [gone, kept] = [await put(1, [moment(0.9)]), await put(1, [moment(0.2)])];
    expect(await shown()).to.have.length(2);
    await testIndex.hide(gone, 2);
    expect(await shown()).to.deep.equal([`${kept} 0.2`]);
    const stored = await testIndex.documents.readServed(gone);
    expect(JSON.stringify(stored)).to.not.include('goal').and.not.include('moments');
  });

  it('no publisher is there with more than two videos in a row while another has one left', async () => {
    for (let at = 0; at < 4; at += 1) await put(1 + at / 100, [moment(0.5)], { publisherId: 'loud' });
    await put(5, [moment(0.5)], { publisherId: 'quiet' });
    const publishers = (await testIndex.moments()).moments.map(({ item }) => item?.publisherId);
    expect(publishers).to.deep.equal(['loud', 'loud', 'quiet', 'loud', 'loud']);
  });
});

describe('the moments in a document', () => {
  it('a document has at most ten moments, best first, and each plays as an excerpt, whatever metadata has', () => {
    const any = fc.record({
      startMs: fc.integer({ min: -5_000, max: 100_000 }),
      endMs: fc.integer({ min: -5_000, max: 900_000 }),
      score: fc.double({ min: -1, max: 3, noNaN: true }),
      reasons: fc.array(fc.string(), { maxLength: 3 }),
      title: fc.string(),
      languageCode: fc.constant('en'),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (keyMoments) => {
        const { moments = [], moments_at } = momentFieldsOf({ keyMoments } as unknown as MetadataOut, 1_000) as Partial<MomentFields>; // prettier-ignore
        expect(moments.length).to.be.at.most(10);
        expect(moments_at === undefined).to.equal(moments.length === 0);
        if (moments_at !== undefined) expect(moments_at).to.be.within(1_000, 1_000 + 3 * DAY_MS);
        for (const [at, { startMs, endMs, score }] of moments.entries()) {
          expect(startMs).to.be.at.least(0);
          expect(endMs - startMs).to.be.within(1_000, 600_000);
          expect(score).to.be.within(0, moments[at - 1]?.score ?? 1);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
