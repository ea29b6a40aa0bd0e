/** What viewers watch, in recommendations and in the trending feed. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { until } from '@vds/testkit/until';
import { openWatched } from '../src/outbound/watched.ts';
import { openTestIndex, type IndexedClip, type TestIndex } from './test-index.ts';
import { clip, newId } from './videos.ts';

const DAY = 86_400_000;

describe('what viewers watch', function () {
  this.timeout(120_000);
  let testIndex: TestIndex;
  beforeEach(async () => void (testIndex = await openTestIndex()));
  afterEach(() => testIndex.close());

  const video = (title: string, more: Parameters<typeof clip>[1] = {}): IndexedClip & { readonly id: string } => {
    const id = newId();
    const publishedAt = new Date(Date.now() - 20 * DAY).toISOString();
    return { id, clip: clip(id, { title, publisherId: `of-${title}`.replaceAll(' ', '-'), publishedAt, ...more }) };
  };
  const tell = (computedAtMs: number, interests: Readonly<Record<string, number>>, together: Readonly<Record<string, readonly string[]>> = {}) =>
    testIndex.watched.write({
      ...{ computedAtMs, halfLifeMs: DAY },
      interests: Object.entries(interests).map(([videoId, interest]) => ({ videoId, interest })),
      together: Object.entries(together).map(([videoId, others]) => ({
        ...{ videoId, companions: others.map((other, at) => ({ videoId: other, lift: 20 - at })) },
      })),
    }); // prettier-ignore
  const refresh = () => testIndex.rawIndex.request('POST', `/${testIndex.rawIndex.prefix}watched/_refresh`);
  const trending = async (more = {}): Promise<string[]> =>
    (await testIndex.feed({ trending: true, ...more })).items.map(({ title }) => title);
  /** All that the index has, as text. */
  const stored = async (): Promise<string> => {
    await refresh();
    const path = `/${testIndex.rawIndex.prefix}watched/_search?size=100`;
    return JSON.stringify(await testIndex.rawIndex.request('GET', path));
  };

  const isStored = async (...videos: readonly { readonly id: string }[]): Promise<boolean[]> => {
    const text = await stored();
    return videos.map(({ id }) => text.includes(id));
  };

  it('videos that are watched together come before those that are only alike, with the reason of each', async () => {
    const seed = video('Wind turbines', { tags: ['energy'], sport: 'golf' });
    const [alike, sporting, unlike] = [
      video('Turbines', { tags: ['energy'] }),
      video('Putts', { sport: 'golf' }),
      video('Bread'),
    ];
    const unrelated = video('News', { publishedAt: new Date().toISOString() });
    await testIndex.put(seed, alike, sporting, unlike, unrelated);
    const before = await testIndex.recommend([seed.id]);
    expect(before.items.map(({ title }) => title)).to.deep.equal(['Turbines', 'Putts', 'News', 'Bread']);
    await tell(Date.now(), {}, { [seed.id]: [unlike.id, seed.id] });
    const { items, reasons } = await testIndex.recommend([seed.id]);
    expect(items.map(({ title }) => title)).to.deep.equal(['Bread', 'Turbines', 'Putts', 'News']);
    expect(reasons).to.deep.equal([
      { kind: 'watched_together', videoId: seed.id },
      { kind: 'similar', videoId: seed.id },
      { kind: 'same_sport', videoId: seed.id },
      { kind: 'fresh', videoId: '' },
    ]);
  });

  it('a history counts by what was watched of it, and nothing that was seen is recommended', async () => {
    const [liked, left, one, other] = ['Liked', 'Left', 'One', 'Other'].map((title) => video(title));
    if (!liked || !left || !one || !other) throw new Error('four videos');
    await testIndex.put(liked, left, one, other);
    await tell(Date.now(), {}, { [liked.id]: [one.id, left.id], [left.id]: [other.id] });
    const history = (...shares: [string, number][]) => ({
      history: shares.map(([videoId, share]) => ({ videoId, share })),
    });
    const titles = async (more: object): Promise<string[]> =>
      (await testIndex.recommend([], 0, more)).items.map(({ title }) => title);
    expect(await titles(history([left.id, 0.01], [liked.id, 1]))).to.deep.equal(['One', 'Other']);
    expect(await titles(history([liked.id, 0.01], [left.id, 1]))).to.deep.equal(['Other', 'One']);
    expect(await titles(history([liked.id, 1], [left.id, 1], [one.id, 0]))).to.deep.equal(['Other']);
  });

  it('a list has two of ten by one publisher, no copy of a video, obeys filters, and goes on where its cursor says', async () => {
    const seed = video('Seed', { sport: 'golf', publisherId: 'big' });
    const big = Array.from({ length: 30 }, (_none, at) => video(`Big ${at}`, { sport: 'golf', publisherId: 'big' }));
    const small = Array.from({ length: 24 }, (_none, at) =>
      video(`Small ${at}`, { publisherId: `small-${at}`, sport: at % 2 === 0 ? 'rugby' : 'boxing' }),
    );
    const copies = [video('Seed', { publisherId: 'thief' }), video('Big 3', { publisherId: 'thief' })];
    await testIndex.put(seed, ...big, ...small, ...copies);
    await tell(Date.now(), {}, { [seed.id]: big.slice(0, 20).map(({ id }) => id) });
    const all: { title: string; publisherId: string }[] = [];
    let cursor = '';
    do {
      const page = await testIndex.recommend([seed.id], 7, { cursor });
      all.push(...page.items);
      cursor = page.nextCursor;
      expect(page.reasons).to.have.length(page.items.length);
    } while (cursor !== '' && all.length < 21);
    for (let from = 0; from + 10 <= 21; from += 1)
      expect(all.slice(from, from + 10).filter(({ publisherId }) => publisherId === 'big').length).to.be.at.most(2);
    expect(all[0]?.title).to.match(/^Big/);
    const titles = all.map(({ title }) => title);
    expect(new Set(titles).size).to.equal(titles.length);
    expect(titles).to.not.include('Seed');
    const rugby = await testIndex.recommend([seed.id], 20, { sport: 'rugby' });
    expect(rugby.items.map(({ sport }) => sport)).to.deep.equal(Array.from({ length: 12 }, () => 'rugby'));
    expect(rugby.nextCursor).to.equal('');
    const own = await testIndex.recommend([seed.id], 20, { publisherId: 'big' });
    expect(own.items).to.have.length(20);
    const code = await testIndex.recommend([seed.id], 7, { cursor: own.nextCursor }).then(
      () => '',
      (error: { code: string }) => error.code,
    );
    expect(code).to.equal('INVALID_ARGUMENT');
  });

  it('trending has what is watched most now, newer before older, by its filters and pages, and nothing without views', async () => {
    expect(await trending()).to.deep.equal([]);
    const [old, fresh, faded, rest] = [
      video('Old', { sport: 'golf' }), video('Fresh', { publishedAt: new Date().toISOString() }), video('Faded', { sport: 'golf' }), video('Rest'),
    ]; // prettier-ignore
    await testIndex.put(old, fresh, faded, rest);
    const now = Date.now();
    await tell(now - 5 * DAY, { [faded.id]: 100, [old.id]: 1_000 });
    await tell(now, { [old.id]: 10, [fresh.id]: 9 });
    // What comes late is of an earlier computation.
    await tell(now - DAY, { [old.id]: 1 });
    await refresh();
    expect(await trending()).to.deep.equal(['Fresh', 'Old', 'Faded']);
    expect(await trending({ sport: 'golf' })).to.deep.equal(['Old', 'Faded']);
    const first = await testIndex.feed({ trending: true, limit: 2 });
    const second = await testIndex.feed({ trending: true, limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ title }) => title)).to.deep.equal(['Fresh', 'Old', 'Faded']);
    expect(second.nextCursor).to.equal('');
  });

  it('the feed of all places higher what is watched more, once over all its pages; other feeds are by time alone', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString();
    const videos = Array.from({ length: 12 }, (_none, at) =>
      video(`Day ${at}`, { publishedAt: day(at), publisherId: `p${at}`, category: 'music' }),
    );
    await testIndex.put(...videos);
    const read = async (more = {}): Promise<string[]> => {
      const titles: string[] = [];
      let cursor = '';
      do {
        const page = await testIndex.feed({ limit: 3, cursor, ...more });
        titles.push(...page.items.map(({ title }) => title));
        cursor = page.nextCursor;
      } while (cursor !== '');
      return titles;
    };
    const byTime = videos.map(({ clip: { title = '' } }) => title);
    expect(await read()).to.deep.equal(byTime);
    const id = (at: number): string => videos[at]?.id ?? '';
    await tell(Date.now(), { [id(5)]: 1e6, [id(9)]: 10, [id(1)]: 1e6 });
    await refresh();
    // By almost three days, and by one and a half; none is newer than now.
    const mixed = [1, 0, 2, 5, 3, 4, 6, 7, 9, 8, 10, 11].map((at) => `Day ${at}`);
    expect(await read()).to.deep.equal(mixed);
    expect(await read({ category: 'music' })).to.deep.equal(byTime);
    const page = await testIndex.feed({ limit: 3 });
    await testIndex.hide(id(5), 2);
    const rest = await testIndex.feed({ limit: 50, cursor: page.nextCursor });
    const titles = [...page.items, ...rest.items].map(({ title }) => title);
    expect(titles).to.deep.equal(mixed.filter((one) => one !== 'Day 5'));
  });

  it('a publisher is at most twice in a row in trending while another has a video left', async () => {
    const many = Array.from({ length: 5 }, (_none, at) => video(`Many ${at}`, { publisherId: 'many' }));
    const few = [video('Few 0', { publisherId: 'few' }), video('Few 1', { publisherId: 'few' })];
    await testIndex.put(...many, ...few);
    await tell(Date.now(), Object.fromEntries([...many, ...few].map(({ id }, at) => [id, 1_000 - at])));
    await refresh();
    const { items } = await testIndex.feed({ trending: true });
    const publishers = items.map(({ publisherId }) => publisherId);
    expect(publishers).to.deep.equal(['many', 'many', 'few', 'many', 'many', 'few', 'many']);
  });

  it('a video that is not live is in neither at once, back when it is, and gone from all lists once it is purged', async () => {
    const [seed, coming, stays] = [video('Seed'), video('Coming'), video('Stays')];
    await testIndex.put(seed, coming, stays);
    const everything = async () => {
      await tell(
        Date.now(),
        { [coming.id]: 5, [stays.id]: 4 },
        { [seed.id]: [coming.id, stays.id], [coming.id]: [stays.id] },
      );
      await refresh();
    };
    await everything();
    const shows = async (): Promise<boolean[]> => [
      (await testIndex.recommend([seed.id])).items.some(({ title }) => title === 'Coming'),
      (await trending()).includes('Coming'),
    ];
    expect(await shows()).to.deep.equal([true, true]);
    await testIndex.hide(coming.id, 2);
    expect(await shows()).to.deep.equal([false, false]);
    await testIndex.put({ ...coming, version: 3 });
    expect(await shows()).to.deep.equal([true, true]);
    await testIndex.hide(coming.id, 4);
    await testIndex.watched.forget([coming.id]);
    expect(await isStored(coming, stays)).to.deep.equal([false, true]);
    // A message that was under way meanwhile.
    await everything();
    expect(await isStored(coming, stays)).to.deep.equal([false, true]);
    expect(await shows()).to.deep.equal([false, false]);
  });

  it('what no computation has confirmed for long is removed', async () => {
    const [old, recent] = [video('Old'), video('Recent')];
    await testIndex.put(old, recent);
    await tell(Date.now() - 2 * DAY, { [old.id]: 5 }, { [old.id]: [recent.id] });
    await tell(Date.now(), { [recent.id]: 5 });
    await refresh();
    await testIndex.watched.collectGarbage();
    await until(async () => !(await stored()).includes(old.id), { what: 'it is removed' });
    expect(await stored()).to.include(recent.id);
  });

  it('a history is refused with the reason', async () => {
    const id = newId();
    const refused = async (ids: readonly string[], more: object): Promise<string> =>
      testIndex.recommend(ids, 0, more).then(
        () => 'answered',
        (error: Error) => error.message,
      );
    expect(await refused([], {})).to.include('history 1 to 200');
    expect(await refused([id], { history: [{ videoId: id, share: 1 }] })).to.include('not both');
    for (const share of [-0.1, 1.1, NaN])
      expect(await refused([], { history: [{ videoId: id, share }] })).to.include('from 0 to 1');
    expect(await refused([], { history: [{ videoId: `vid_${id}`, share: 1 }] })).to.include('without vid_');
    expect(await refused([], { history: Array.from({ length: 201 }, () => ({ videoId: id, share: 1 })) })).to.include(
      '200',
    );
  });

  it('a user of an earlier release, who may not use the index, purges and finds as without views, and says so', async () => {
    const warnings: string[] = [];
    const watched = openWatched({
      search: {
        request: () => Promise.reject(new AppError('UNAVAILABLE', 'no permissions', { reason: 'security_exception' })),
      },
      log: { warn: (...told: readonly unknown[]) => void warnings.push(String(told.at(-1))) },
      videos: 'videos',
      config: { indexPrefix: 'vds-', indexReplicas: 0, watchedKeepMs: 1_000 },
    });
    const interests = [{ videoId: newId(), interest: 1 }];
    await watched.write({ computedAtMs: Date.now(), halfLifeMs: 86_400_000, interests, together: [] });
    expect(warnings.join()).to.include('provision print opensearch');
    await watched.forget([newId()]);
    await watched.collectGarbage();
    await watched.applyReplicas();
    expect((await watched.companions([newId()])).size + (await watched.interests(Date.now(), 0, 10)).size).to.equal(0);
  });
});
