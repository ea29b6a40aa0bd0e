/** Pages of a search and of a feed, turned while others write. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { openShelf, type Shelf, type Shelved } from './shelf.ts';
import { clip, newId } from './videos.ts';

function minutes(count: number): string {
  return new Date(Date.now() - count * 60_000).toISOString();
}

describe('pages', function () {
  this.timeout(120_000);
  let shelf: Shelf;
  beforeEach(async () => void (shelf = await openShelf()));
  afterEach(() => shelf.close());

  const many = (count: number, of: (at: number) => Partial<Shelved['clip']>): Shelved[] =>
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

  it('of a search hold each of 500 videos once, while others are added, changed and taken away', async () => {
    const videos = many(500, (at) => ({
      title: `match ${'point '.repeat(at % 7)}`,
      tags: at % 3 === 0 ? ['match'] : [],
    }));
    await shelf.put(...videos);
    const gone = newId();
    await shelf.put({ clip: clip(gone, { title: 'match' }) });
    let round = 0;
    const pages = await turn(
      (cursor) => shelf.find('match', { limit: 50, cursor }),
      async () => {
        round += 1;
        await shelf.put(...many(5, () => ({ title: 'match '.repeat(round) })));
        await shelf.put(...videos.slice(0, 10).map((video) => ({ ...video, version: round + 1 })));
        await shelf.hide(gone, 2);
      },
    );
    const seen = pages.flatMap(({ hits }) => hits.map(({ item }) => item?.videoId ?? ''));
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen).to.include.members(videos.map(({ clip: { videoId } }) => videoId));
    expect(new Set(pages.map(({ total }) => total))).to.deep.equal(new Set([501]));
  });

  it('of a search never show what was taken away after the view was opened', async () => {
    const videos = many(30, () => ({ title: 'match' }));
    await shelf.put(...videos);
    const one = await shelf.find('match', { limit: 10 });
    const two = await shelf.find('match', { limit: 10, cursor: one.nextCursor });
    const shown = [one, two].flatMap(({ hits }) => hits.map(({ item }) => item?.videoId ?? ''));
    for (const { clip: { videoId } } of videos) if (!shown.includes(videoId)) await shelf.hide(videoId, 2); // prettier-ignore
    expect((await shelf.find('match', { limit: 10, cursor: two.nextCursor })).hits).to.deep.equal([]);
  });

  it('of a search say so when they have expired', async () => {
    await shelf.put(...many(9, () => ({ title: 'match' })));
    const one = await shelf.find('match', { limit: 3 });
    const two = await shelf.find('match', { limit: 3, cursor: one.nextCursor });
    await shelf.ground.wipe(); // as a reindex does with the index that it replaced
    await shelf.indexes.ensure();
    try {
      await shelf.find('match', { limit: 3, cursor: two.nextCursor });
      expect.fail('it was answered');
    } catch (error) {
      expect(error).to.be.instanceOf(AppError);
      expect((error as AppError).reason).to.equal('cursor_expired');
      expect((error as AppError).code).to.equal('INVALID_ARGUMENT');
    }
  });

  it('of a feed go from new to old, each video once, while others are published', async () => {
    const videos = many(120, (at) => ({ publisherId: `pub${at % 9}` }));
    await shelf.put(...videos);
    const pages = await turn(
      (cursor) => shelf.feed({ limit: 7, cursor }),
      async () => shelf.put({ clip: clip(newId(), { publisherId: 'new', publishedAt: new Date().toISOString() }) }),
    );
    const seen = pages.flatMap(({ items }) => items.map(({ videoId }) => videoId));
    expect(seen).to.deep.equal(videos.map(({ clip: { videoId } }) => videoId));
  });
});

describe('a feed', function () {
  this.timeout(120_000);
  let shelf: Shelf;
  before(async () => void (shelf = await openShelf()));
  after(() => shelf.close());

  it('has no publisher more than twice in a row while another has anything to show', async () => {
    const publishers = [...Array<string>(60).fill('loud'), ...Array<string>(40).fill('calm'), 'rare', 'rare', 'rare'];
    await shelf.put(
      ...publishers.map((publisherId, at) => ({
        clip: clip(newId(), { publisherId, publishedAt: minutes(at + 1), sport: 'golf' }),
      })),
    );
    const seen: string[] = [];
    const ids: string[] = [];
    let cursor = '';
    do {
      const page = await shelf.feed({ sport: 'golf', limit: 8, cursor });
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

  it('of one publisher, sport or category has only theirs', async () => {
    await shelf.put(
      { clip: clip(newId(), { publisherId: 'solo', title: 'a', sport: 'tennis' }) },
      { clip: clip(newId(), { publisherId: 'solo', title: 'b', category: 'music', publishedAt: minutes(2) }) },
      { clip: clip(newId(), { publisherId: 'solo', title: 'c', publishedAt: minutes(600) }) },
    );
    const titles = async (request: object): Promise<string[]> =>
      (await shelf.feed(request)).items.map(({ title }) => title);
    expect(await titles({ publisherId: 'solo' })).to.deep.equal(['a', 'b', 'c']);
    expect(await titles({ sport: 'tennis' })).to.deep.equal(['a']);
    expect(await titles({ category: 'music' })).to.deep.equal(['b']);
    expect(await titles({ category: 'comedy' })).to.deep.equal([]);
  });
});

describe('recommendations', function () {
  this.timeout(120_000);
  let shelf: Shelf;
  before(async () => void (shelf = await openShelf()));
  after(() => shelf.close());

  it('are like the seed, never the seed, never what is not live', async () => {
    const make = (title: string, sport: string, topics: readonly string[], line: string): Shelved => ({
      clip: clip(newId(), { title, sport, publishedAt: minutes(10_000) }),
      topics,
      spoken: { en: [[0, line]] },
    });
    const seed = make('Serve clinic', 'tennis', ['serve', 'backhand'], 'toss the ball high and pronate the wrist');
    const twin = make('Second lesson', 'tennis', ['serve', 'backhand'], 'pronate the wrist as you toss');
    const hidden = make('Third lesson', 'tennis', ['serve', 'backhand'], 'pronate the wrist as you toss');
    const cousin = make('Doubles news', 'tennis', ['doubles'], 'the pair won again');
    const other = make('Fresh goals', 'soccer', ['goals'], 'what a strike');
    await shelf.put(seed, twin, hidden, cousin, other);
    const idOf = ({ clip: { videoId } }: Shelved): string => videoId;
    await shelf.hide(idOf(hidden), 2);
    const titles = async (seeds: readonly Shelved[], limit = 0): Promise<string[]> =>
      (await shelf.recommend(seeds.map(idOf), limit)).items.map(({ title }) => title);
    expect(await titles([seed])).to.deep.equal(['Second lesson', 'Doubles news', 'Fresh goals']);
    expect(await titles([seed], 1)).to.deep.equal(['Second lesson']);
    expect(await titles([seed, twin])).to.deep.equal(['Doubles news', 'Fresh goals']);
    expect(await titles([hidden])).to.have.members(['Serve clinic', 'Second lesson', 'Doubles news', 'Fresh goals']);
    expect((await titles([other, seed, twin]))[0]).to.equal('Doubles news');
    expect((await shelf.recommend([newId()])).items).to.have.length(4);
  });
});
