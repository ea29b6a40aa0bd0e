/** Pages of a search and of a feed, read while others write. */
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { openTestIndex, type TestIndex, type IndexedClip } from './test-index.ts';
import { clip, newId } from './videos.ts';

function minutes(count: number): string {
  return new Date(Date.now() - count * 60_000).toISOString();
}

describe('pages', function () {
  this.timeout(120_000);
  let testIndex: TestIndex;
  beforeEach(async () => void (testIndex = await openTestIndex()));
  afterEach(() => testIndex.close());

  const many = (count: number, of: (at: number) => Partial<IndexedClip['clip']>): IndexedClip[] =>
    Array.from({ length: count }, (_empty, at) => ({
      clip: clip(newId(), { publishedAt: minutes(at + 1), ...of(at) }),
    }));
  const turn = async <P extends { readonly nextCursor: string }>(
    first: (cursor: string) => Promise<P>,
    between: () => Promise<unknown> = async () => {},
  ): Promise<P[]> => {
    const pages = [await first('')];
    for (let cursor = pages[0]?.nextCursor ?? ''; cursor !== ''; cursor = pages.at(-1)?.nextCursor ?? '') {
      await between();
      pages.push(await first(cursor));
    }
    return pages;
  };

  it('pages of a search have each of 500 videos once while others are added, changed and archived', async () => {
    const videos = many(500, (at) => ({
      title: `match ${'point '.repeat(at % 7)}`,
      tags: at % 3 === 0 ? ['match'] : [],
    }));
    await testIndex.put(...videos);
    const gone = newId();
    await testIndex.put({ clip: clip(gone, { title: 'match' }) });
    let round = 0;
    const pages = await turn(
      (cursor) => testIndex.find('match', { limit: 50, cursor }),
      async () => {
        round += 1;
        await testIndex.put(...many(5, () => ({ title: 'match '.repeat(round) })));
        await testIndex.put(...videos.slice(0, 10).map((video) => ({ ...video, version: round + 1 })));
        await testIndex.hide(gone, 2);
      },
    );
    const seen = pages.flatMap(({ hits }) => hits.map(({ item }) => item?.videoId ?? ''));
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen).to.include.members(videos.map(({ clip: { videoId } }) => videoId));
    expect(new Set(pages.map(({ total }) => total))).to.deep.equal(new Set([501]));
  });

  it('the pages of a search have its first thousand hits, and its total says so', async () => {
    await testIndex.put(...many(1_030, () => ({ title: 'match' })));
    const pages = await turn((cursor) => testIndex.find('match', { limit: 50, cursor }));
    const seen = pages.flatMap(({ hits }) => hits.map(({ item }) => item?.videoId ?? ''));
    expect(new Set(seen).size).to.equal(1_000);
    expect(seen).to.have.length(1_000);
    expect(new Set(pages.map(({ total }) => total))).to.deep.equal(new Set([1_000]));
  });

  it('pages of a feed go from new to old on an index of an earlier mapping, which has no stored order', async () => {
    const { request, prefix } = testIndex.rawIndex;
    await testIndex.rawIndex.wipe();
    const keyword = { type: 'keyword' };
    const properties = {
      video_id: keyword, publisher_id: keyword, sport: keyword, live: { type: 'boolean' }, published_at: { type: 'date' },
    }; // prettier-ignore
    await request('PUT', `/${prefix}videos-1`, {
      mappings: { dynamic: false, properties },
      aliases: { [`${prefix}videos`]: {} },
    });
    const videos = many(20, (at) => ({ publisherId: `pub${at % 9}`, sport: 'golf' }));
    await testIndex.put(...videos);
    for (const filters of [{}, { sport: 'golf' }]) {
      const pages = await turn((cursor) => testIndex.feed({ ...filters, limit: 7, cursor }));
      const seen = pages.flatMap(({ items }) => items.map(({ videoId }) => videoId));
      expect(seen).to.deep.equal(videos.map(({ clip: { videoId } }) => videoId));
    }
  });

  it('pages of a search never show a video that was archived after the view was opened', async () => {
    const videos = many(30, () => ({ title: 'match' }));
    await testIndex.put(...videos);
    const one = await testIndex.find('match', { limit: 10 });
    const two = await testIndex.find('match', { limit: 10, cursor: one.nextCursor });
    const shown = [one, two].flatMap(({ hits }) => hits.map(({ item }) => item?.videoId ?? ''));
    for (const { clip: { videoId } } of videos) if (!shown.includes(videoId)) await testIndex.hide(videoId, 2); // prettier-ignore
    expect((await testIndex.find('match', { limit: 10, cursor: two.nextCursor })).hits).to.deep.equal([]);
  });

  it('a cursor that an earlier version signed is rejected, with what to do', async () => {
    const key = Buffer.from(hkdfSync('sha256', 'secret', '', 'vds indexer cursor', 32));
    const query = ['feed', {}];
    const q = createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 22);
    const position = { at: Date.now(), position: { after: undefined, tail: [], early: [] } };
    const text = Buffer.from(JSON.stringify({ q, position })).toString('base64url');
    const signature = createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url');
    const error = await testIndex.feed({ cursor: `${text}.${signature}` }).then(
      () => expect.fail('it was answered'),
      (reason: unknown) => reason,
    );
    expect(error).to.deep.include({ code: 'INVALID_ARGUMENT', reason: 'cursor_unknown' });
    expect((error as AppError).message).to.include('start again without it');
  });

  it('an expired cursor of a search is rejected as expired', async () => {
    await testIndex.put(...many(9, () => ({ title: 'match' })));
    const one = await testIndex.find('match', { limit: 3 });
    const two = await testIndex.find('match', { limit: 3, cursor: one.nextCursor });
    await testIndex.rawIndex.wipe(); // as a reindex does with the index that it replaced
    await testIndex.indexes.ensure();
    try {
      await testIndex.find('match', { limit: 3, cursor: two.nextCursor });
      expect.fail('it was answered');
    } catch (error) {
      expect(error).to.be.instanceOf(AppError);
      expect((error as AppError).reason).to.equal('cursor_expired');
      expect((error as AppError).code).to.equal('INVALID_ARGUMENT');
    }
  });

  it('pages of a feed go from new to old with each video once while others are published', async () => {
    const videos = many(120, (at) => ({ publisherId: `pub${at % 9}` }));
    await testIndex.put(...videos);
    const pages = await turn(
      (cursor) => testIndex.feed({ limit: 7, cursor }),
      async () => testIndex.put({ clip: clip(newId(), { publisherId: 'new', publishedAt: new Date().toISOString() }) }),
    );
    const seen = pages.flatMap(({ items }) => items.map(({ videoId }) => videoId));
    expect(seen).to.deep.equal(videos.map(({ clip: { videoId } }) => videoId));
  });
});

describe('feeds', function () {
  this.timeout(120_000);
  let testIndex: TestIndex;
  before(async () => void (testIndex = await openTestIndex()));
  after(() => testIndex.close());

  it('a feed has no publisher more than twice in a row while another has a video left', async () => {
    const publishers = [...Array<string>(60).fill('loud'), ...Array<string>(40).fill('calm'), 'rare', 'rare', 'rare'];
    await testIndex.put(
      ...publishers.map((publisherId, at) => ({
        clip: clip(newId(), { publisherId, publishedAt: minutes(at + 1), sport: 'golf' }),
      })),
    );
    const seen: string[] = [];
    const ids: string[] = [];
    let cursor = '';
    do {
      const page = await testIndex.feed({ sport: 'golf', limit: 8, cursor });
      seen.push(...page.items.map(({ publisherId }) => publisherId));
      ids.push(...page.items.map(({ videoId }) => videoId));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(new Set(ids).size).to.equal(103);
    const longest = seen.map((publisher, at) => seen.slice(at).findIndex((other) => other !== publisher));
    const rows = longest.filter((length, at) => length > 2 && seen.slice(at).some((other) => other !== seen[at]));
    expect(rows).to.deep.equal([]);
    expect(seen.slice(0, 6)).to.deep.equal(['loud', 'loud', 'calm', 'loud', 'loud', 'calm']);
  });

  it('a feed of one publisher, sport or category has only its videos', async () => {
    await testIndex.put(
      { clip: clip(newId(), { publisherId: 'solo', title: 'a', sport: 'tennis' }) },
      { clip: clip(newId(), { publisherId: 'solo', title: 'b', category: 'music', publishedAt: minutes(2) }) },
      { clip: clip(newId(), { publisherId: 'solo', title: 'c', publishedAt: minutes(600) }) },
    );
    const titles = async (request: object): Promise<string[]> =>
      (await testIndex.feed(request)).items.map(({ title }) => title);
    expect(await titles({ publisherId: 'solo' })).to.deep.equal(['a', 'b', 'c']);
    expect(await titles({ sport: 'tennis' })).to.deep.equal(['a']);
    expect(await titles({ category: 'music' })).to.deep.equal(['b']);
    expect(await titles({ category: 'comedy' })).to.deep.equal([]);
  });
});

describe('the feed of a sport', function () {
  this.timeout(120_000);
  let testIndex: TestIndex;
  before(async () => void (testIndex = await openTestIndex()));
  after(() => testIndex.close());

  it('a sport’s feed places videos that name the sport above those whose labels infer it, on every page', async () => {
    const labels = ['sport:fencing'];
    await testIndex.put(
      { clip: clip(newId(), { publisherId: 'a', title: 'inferred, new' }), labels },
      { clip: clip(newId(), { publisherId: 'b', title: 'named, old', sport: 'fencing', publishedAt: minutes(900) }) },
      { clip: clip(newId(), { publisherId: 'c', title: 'named, new', sport: 'fencing', publishedAt: minutes(5) }) },
      {
        clip: clip(newId(), { publisherId: 'd', title: 'inferred, old', publishedAt: minutes(600) }),
        labels,
      },
      {
        clip: clip(newId(), { publisherId: 'e', title: 'other sport named', sport: 'golf' }),
        labels,
      },
      { clip: clip(newId(), { publisherId: 'f', title: 'nothing' }) },
    );
    const titles: string[] = [];
    let cursor = '';
    do {
      const page = await testIndex.feed({ sport: 'fencing', limit: 1, cursor });
      titles.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(titles).to.deep.equal(['named, new', 'named, old', 'inferred, new', 'inferred, old']);
  });
});

describe('recommendations', function () {
  this.timeout(120_000);
  let testIndex: TestIndex;
  before(async () => void (testIndex = await openTestIndex()));
  after(() => testIndex.close());

  it('recommendations are like the seed, never the seed itself, and never a video that is not live', async () => {
    const make = (title: string, sport: string, topics: readonly string[], line: string): IndexedClip => ({
      clip: clip(newId(), { title, sport, publishedAt: minutes(10_000) }),
      topics,
      spoken: { en: [[0, line]] },
    });
    const seed = make('Serve clinic', 'tennis', ['serve', 'backhand'], 'toss the ball high and pronate the wrist');
    const twin = make('Second lesson', 'tennis', ['serve', 'backhand'], 'pronate the wrist as you toss');
    const hidden = make('Third lesson', 'tennis', ['serve', 'backhand'], 'pronate the wrist as you toss');
    const cousin = make('Doubles news', 'tennis', ['doubles'], 'the pair won again');
    const other = make('Fresh goals', 'soccer', ['goals'], 'what a strike');
    await testIndex.put(seed, twin, hidden, cousin, other);
    const idOf = ({ clip: { videoId } }: IndexedClip): string => videoId;
    await testIndex.hide(idOf(hidden), 2);
    const titles = async (seeds: readonly IndexedClip[], limit = 0): Promise<string[]> =>
      (await testIndex.recommend(seeds.map(idOf), limit)).items.map(({ title }) => title);
    expect(await titles([seed])).to.deep.equal(['Second lesson', 'Doubles news', 'Fresh goals']);
    expect(await titles([seed], 1)).to.deep.equal(['Second lesson']);
    expect(await titles([seed, twin])).to.deep.equal(['Doubles news', 'Fresh goals']);
    expect(await titles([hidden])).to.have.members(['Serve clinic', 'Second lesson', 'Doubles news', 'Fresh goals']);
    expect((await titles([other, seed, twin]))[0]).to.equal('Doubles news');
    expect((await testIndex.recommend([newId()])).items).to.have.length(4);
  });

  it('a summary moves the ranking: in search above a video with the word on screen alone, and in recommendations', async () => {
    const make = (title: string, summary: string, screen = ''): IndexedClip => ({
      clip: clip(newId(), { title, summary, publishedAt: minutes(10_000) }),
      screen: screen === '' ? [] : [[0, screen]],
    });
    const seed = make('One', 'A marathon through the old harbour of Lisbon');
    const alike = make('Two', 'Lisbon and its harbour before the marathon');
    const unlike = make('Three', 'Nothing of the kind', 'azulejo');
    const told = make('Four', 'An azulejo workshop');
    await testIndex.put(seed, unlike, told, alike);
    const recommended = await testIndex.recommend([seed.clip.videoId]);
    expect(recommended.items[0]?.title).to.equal('Two');
    const found = await testIndex.find('azulejo');
    expect(found.hits.map(({ item }) => item?.title)).to.deep.equal(['Four', 'Three']);
  });

  it('a sport gives a video better placement in a feed than an older or equally new one without', async () => {
    const publishedAt = minutes(30);
    const publisherId = 'placed';
    await testIndex.put(
      { clip: clip(newId(), { title: 'without', publisherId, publishedAt }) },
      { clip: clip(newId(), { title: 'with', publisherId, publishedAt, sport: 'rugby' }) },
    );
    const { items } = await testIndex.feed({ publisherId });
    expect(items.map(({ title }) => title)).to.deep.equal(['with', 'without']);
  });
});
