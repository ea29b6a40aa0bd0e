/** Search by meaning on a real OpenSearch: vectors of an invented engine, in which each subject has a direction. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import { removeServers, up } from '@vds/testkit/servers/up';
import { until } from '@vds/testkit/until';
import { openIndexes } from '../src/outbound/indexes.ts';
import { openTestIndex, type IndexedClip, type TestIndex } from './test-index.ts';
import { clip, newId } from './videos.ts';

const subjects = ['football', 'skiing', 'swimming', 'cooking'] as const;
type Subject = (typeof subjects)[number];

/** Mostly in the direction of one subject, a little in that of another. */
function vectorOf(subject: Subject, other?: Subject): Int8Array {
  return Int8Array.from(subjects, (name) => (name === subject ? 120 : name === other ? 40 : 3));
}

function engine() {
  const state = { isAway: false, isLate: false, texts: [] as string[], delayMs: 0 };
  const embedder: Embedder = {
    model: 'test/4',
    dimensions: subjects.length,
    embed: async (texts) => {
      state.texts.push(...texts);
      if (state.isLate) await new Promise(() => {});
      await pause(state.delayMs);
      if (state.isAway) throw new AppError('UNAVAILABLE', 'the engine is away');
      return texts.map((text) => vectorOf(subjects.find((name) => text.includes(name)) ?? 'cooking'));
    },
    close: async () => {},
  };
  return { state, embedder };
}

describe('search by meaning', function () {
  this.timeout(60_000);
  const { state, embedder } = engine();
  let testIndex: TestIndex;
  before(async () => void (testIndex = await openTestIndex({}, embedder)));
  after(() => testIndex.close());
  beforeEach(() => void (state.isAway = false));

  const about = (title: string, subject: Subject, more: Partial<IndexedClip> = {}): IndexedClip => ({
    clip: clip(newId(), { title }),
    passages: [{ vector: vectorOf('cooking', subject) }, { atMs: 61_000, vector: vectorOf(subject) }],
    model: 'test/4',
    ...more,
  });
  const titles = async (query: string, more: object = {}): Promise<string[]> =>
    (await testIndex.find(query, more)).hits.map(({ item }) => item?.title ?? '');

  it('a video of another language is found by what it means, with its second and without a snippet', async () => {
    await testIndex.put(about('극장골', 'football'), about('スキーの転倒', 'skiing'));
    const { hits, total } = await testIndex.find('late winner in football');
    expect(hits.map(({ item }) => item?.title)).to.deep.equal(['극장골']);
    expect(hits[0]).to.deep.include({ atMs: 61_000, snippets: [] });
    expect(total).to.equal(1);
  });
  it('a title that has the query stays before what is near in meaning', async () => {
    const named = clip(newId(), { title: 'Swimming with Dory' });
    await testIndex.put({ clip: named }, about('Freistil', 'swimming'), about('Brust', 'swimming'));
    const found = await titles('swimming');
    expect(found[0]).to.equal('Swimming with Dory');
    expect(found.slice(1)).to.have.members(['Freistil', 'Brust']);
  });
  it('the filters of a search hold for meaning', async () => {
    const golf = about('Winter golf', 'skiing');
    await testIndex.put({ ...golf, clip: { ...golf.clip, sport: 'golf', publisherId: 'other' } });
    expect(await titles('about skiing', { sport: 'golf' })).to.deep.equal(['Winter golf']);
    expect(await titles('about skiing', { publisherId: 'other' })).to.deep.equal(['Winter golf']);
    expect(await titles('about skiing', { category: 'music' })).to.deep.equal([]);
  });
  it('a video that is no longer live is gone from meaning at once, and from later pages', async () => {
    const gone = about('Ephemeral', 'skiing');
    await testIndex.put(gone);
    expect(await titles('about skiing')).to.include('Ephemeral');
    const one = await testIndex.find('about skiing', { limit: 1 });
    await testIndex.hide(gone.clip.videoId, 2);
    expect(await titles('about skiing')).to.not.include('Ephemeral');
    const two = await testIndex.find('about skiing', { limit: 50, cursor: one.nextCursor });
    expect(two.hits.map(({ item }) => item?.title)).to.not.include('Ephemeral');
  });
  it('signs without a word find nothing, and are not embedded', async () => {
    const asked = state.texts.length;
    for (const query of ['-->', '!?…', ' " ']) expect(await titles(query)).to.deep.equal([]);
    expect(state.texts).to.have.length(asked);
  });
  it('vectors of another model are not compared', async () => {
    await testIndex.put(about('Of another model', 'football', { model: 'other/4' }));
    expect(await titles('football then')).to.not.include('Of another model');
  });
  it('a vector without direction is left out, and its video is indexed', async () => {
    await testIndex.put(about('Nothing said', 'football', { passages: [{ vector: new Int8Array(4) }] }));
    expect(await titles('nothing said')).to.include('Nothing said');
  });
  it('pages by words and meaning have every video once, also when the engine goes away in between', async () => {
    const wanted = Array.from({ length: 30 }, (_none, at) => `Pot ${at}`);
    await testIndex.put(
      ...wanted.map((title, at) => (at % 2 === 0 ? about(title, 'cooking') : { clip: clip(newId(), { title }) })),
    );
    const seen: string[] = [];
    const totals = new Set<number>();
    for (let cursor = '', round = 0; round === 0 || cursor !== ''; round += 1) {
      const page = await testIndex.find('a pot for cooking', { limit: 4, cursor });
      seen.push(...page.hits.map(({ item }) => item?.videoId ?? ''));
      totals.add(page.total);
      cursor = page.nextCursor;
      state.isAway = true;
      await testIndex.put(about(`Pot of later ${round}`, 'cooking'));
    }
    expect(new Set(seen).size).to.equal(seen.length);
    expect([...totals]).to.have.length(1);
    expect(seen.length).to.be.at.least(totals.values().next().value ?? 0);
  });
  it('while the engine is away a search is by words alone, and a metric and /readyz say so', async () => {
    await testIndex.put({ clip: clip(newId(), { title: 'A football match' }) });
    state.isAway = true;
    expect(await titles('football match away'))
      .to.include('A football match')
      .and.not.include('극장골');
    expect(testIndex.discovery.describeMeaning()).to.include('words alone');
    expect(await testIndex.metrics.registry.metrics()).to.match(/vds_indexer_meaning(\{[^}]*\})? 0/);
    state.isAway = false;
    expect(await titles('football match back')).to.include('극장골');
    expect(testIndex.discovery.describeMeaning()).to.equal('words and meaning');
    expect(await testIndex.metrics.registry.metrics()).to.match(/vds_indexer_meaning(\{[^}]*\})? 1/);
  });
  it('an engine that never answers delays a search by a second at most, and others meanwhile not at all', async () => {
    state.isLate = true;
    const started = performance.now();
    const slow = titles('football match late');
    expect(await slow).to.include('A football match');
    let isProbing = true;
    const probing = titles('football match later').finally(() => (isProbing = false));
    expect(await titles('football match latest')).to.include('A football match');
    expect(isProbing, 'the search that waits for the engine has not ended').to.equal(true);
    await probing;
    expect(performance.now() - started).to.be.below(20_000);
    state.isLate = false;
  });
  it('a vector that came too late for its search is there for the next one', async () => {
    state.delayMs = 1_200;
    expect(await titles('football match slowly')).to.not.include('극장골');
    const { length } = state.texts;
    const again = () => titles('football match slowly').then((found) => found.includes('극장골'));
    await until(again, { what: 'it is found by meaning', everyMs: 200 });
    state.delayMs = 0;
    expect(state.texts).to.have.length(length);
  });
  it('of a long query the beginning is embedded, so that it costs no more than others', async () => {
    await titles(`football ${'の試合'.repeat(500)}`);
    expect([...(state.texts.at(-1) ?? '')]).to.have.length(200);
    const { length } = state.texts;
    expect(await titles(`football ${'の試合'.repeat(400)}`)).to.include('극장골');
    expect(state.texts).to.have.length(length);
  });
  it('a query that was asked before is not embedded again', async () => {
    await titles('football once');
    const { length } = state.texts;
    await titles('Football once ');
    expect(state.texts).to.have.length(length);
  });
  it('a reindex is due for vectors of another model, and for none where no embeddings are configured', async () => {
    const behindOf = async (one: Embedder | undefined): Promise<boolean> =>
      (
        await openIndexes(
          testIndex.search,
          testIndex.rawIndex.prefix,
          { indexReplicas: 0, indexShards: 1 },
          one,
        ).mapping()
      ).behind;
    expect(await behindOf(embedder)).to.equal(false);
    expect(await behindOf({ ...embedder, model: 'test/5' })).to.equal(true);
    expect(await behindOf(undefined)).to.equal(false);
  });
  it('a recommendation is like its seed in meaning, in whatever language, and a second file of one video is none', async () => {
    const own = await openTestIndex({}, embedder);
    const asked = state.texts.length;
    const of = (title: string, subject: Subject, other?: Subject, more = {}): IndexedClip => ({
      clip: clip(newId(), { title, publisherId: title, publishedAt: '2026-01-01T00:00:00.000Z', ...more }),
      passages: [{ vector: vectorOf(subject, other) }],
      model: 'test/4',
    });
    const seed = of('스키', 'skiing');
    const twin = of('Ski', 'skiing', undefined, { title: 'Another name' });
    const others = [of('Suppe', 'cooking'), of('Langlauf', 'skiing', 'swimming'), of('Tor', 'football', 'skiing')];
    try {
      await own.put(seed, twin, ...others);
      const { items, reasons } = await own.recommend([seed.clip.videoId]);
      expect(items.map(({ title }) => title)).to.deep.equal(['Langlauf', 'Tor', 'Suppe']);
      expect(reasons[0]).to.deep.equal({ kind: 'similar', videoId: seed.clip.videoId });
      expect(state.texts).to.have.length(asked, 'no text is embedded for it');
    } finally {
      await own.close();
    }
  });
});

describe('search on an OpenSearch without the k-NN plugin', function () {
  this.timeout(120_000);
  const dir = mkdtempSync(join(tmpdir(), 'without-vectors-'));
  let testIndex: TestIndex;
  before(async () => {
    const { opensearch } = await up(dir, { which: ['opensearch'], withoutVectors: true });
    testIndex = await openTestIndex({}, engine().embedder, opensearch?.url);
  });
  after(async () => {
    await testIndex.close();
    await removeServers(dir);
  });

  it('videos with vectors are indexed and found by words alone, and no reindex is due for the vectors', async () => {
    const passages = [{ vector: vectorOf('football') }];
    await testIndex.put({ clip: clip(newId(), { title: 'A football match' }), passages, model: 'test/4' });
    const { hits } = await testIndex.find('football');
    expect(hits.map(({ item }) => item?.title)).to.deep.equal(['A football match']);
    expect(testIndex.discovery.describeMeaning()).to.include('words alone');
    expect((await testIndex.indexes.mapping()).behind).to.equal(false);
  });
});
