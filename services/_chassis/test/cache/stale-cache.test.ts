import { setTimeout as sleep } from 'node:timers/promises';
import { openStaleCache, type CachedAnswer } from '@vds/chassis/cache/stale-cache';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';

type Thing = { readonly id: string; readonly version: number };
function thing(version: number): CachedAnswer<Thing> {
  return { value: { id: 't1', version }, ageMs: 0 };
}

describe('the stale cache', () => {
  const open = (
    load: (key: string) => Promise<CachedAnswer<Thing>>,
    limits: Partial<Record<'freshMs' | 'staleMs' | 'loadTimeoutMs' | 'maxEntries', number>> = {},
  ) => {
    const lookups: string[] = [];
    const causes: unknown[] = [];
    const cache = openStaleCache<Thing>({
      load,
      versionOf: (value) => value,
      maxEntries: 10,
      freshMs: 0,
      staleMs: 60_000,
      loadTimeoutMs: 50,
      ...limits,
      onLookup: (outcome) => void lookups.push(outcome),
      onStale: (cause) => void causes.push(cause),
    });
    return { ...cache, lookups, causes };
  };
  /** Returns one answer per load; the last answer is repeated. */
  const script = (...answers: (() => Promise<CachedAnswer<Thing>>)[]) => {
    let loads = 0;
    const load = async (): Promise<CachedAnswer<Thing>> => {
      const answer = answers[Math.min(loads, answers.length - 1)];
      loads += 1;
      if (!answer) throw new Error('no scripted answer');
      return answer();
    };
    return { load, loads: () => loads };
  };
  const unavailable = (): Promise<never> => Promise.reject(new Error('unavailable'));
  const hanging = (): Promise<never> => new Promise(() => {});

  it('every lookup loads when answers are never fresh', async () => {
    const { load, loads } = script(async () => thing(1));
    const cache = open(load);
    expect([await cache.find('k'), await cache.find('k')]).to.deep.equal([thing(1), thing(1)]);
    expect([loads(), cache.lookups]).to.deep.equal([2, ['loaded', 'loaded']]);
  });

  it('the last answer is returned with its age while a load fails', async () => {
    const cache = open(script(async () => thing(1), unavailable).load);
    await cache.find('k');
    await sleep(20);
    const { value, ageMs } = await cache.find('k');
    expect(value).to.deep.equal({ id: 't1', version: 1 });
    expect(ageMs).to.be.at.least(15);
    expect(cache.causes).to.have.length(1);
  });

  it('a load that exceeds its timeout returns the last answer, and its own answer is stored when it arrives', async () => {
    let answer = (_answer: CachedAnswer<Thing>): void => {};
    const late = () => new Promise<CachedAnswer<Thing>>((resolve) => (answer = resolve));
    const cache = open(script(async () => thing(1), late).load, { freshMs: 1 });
    await cache.find('k');
    await sleep(5);
    expect((await cache.find('k')).value?.version).to.equal(1);
    answer(thing(2));
    await until(async () => (await cache.find('k')).value?.version === 2, { what: 'the late answer' });
  });

  it('a load has no timeout when there is no last answer', async () => {
    const cache = open(script(hanging).load);
    const found = cache.find('k').then(() => 'found');
    expect(await Promise.race([found, sleep(200, 'waits')])).to.equal('waits');
  });

  it('an answer that is too old is not returned', async () => {
    const cache = open(script(async () => thing(1), unavailable).load, { staleMs: 30 });
    await cache.find('k');
    await sleep(40);
    const failure = await cache.find('k').catch((error: Error) => error.message);
    expect([failure, cache.lookups.at(-1)]).to.deep.equal(['unavailable', 'failed']);
  });

  it('the age of an answer includes its age when it was loaded', async () => {
    const cache = open(script(async () => ({ ...thing(1), ageMs: 50_000 }), unavailable).load);
    expect((await cache.find('k')).ageMs).to.be.at.least(50_000);
    const short = open(script(async () => ({ ...thing(1), ageMs: 50_000 }), unavailable).load, { staleMs: 40_000 });
    expect(await short.find('k').catch((error: Error) => error.message)).to.equal('the cached answer is too old');
  });

  it('an old answer is rejected when it is older than a known change', async () => {
    const cache = open(script(async () => ({ ...thing(3), ageMs: 1_000 })).load);
    cache.drop('t1', 4);
    const failure = await cache.find('k').catch((error: Error) => error.message);
    expect(failure).to.equal('the cached answer is older than the last change');
  });

  it('an old answer is rejected when it is older than the stored one', async () => {
    const answers = [async () => thing(4), async () => ({ ...thing(3), ageMs: 1_000 })];
    const cache = open(script(...answers).load);
    await cache.find('k');
    expect((await cache.find('k')).value?.version).to.equal(4);
    await sleep(1_100);
    expect((await cache.find('k')).value?.version).to.equal(4);
  });

  it('after its source was restored an earlier version is loaded once, kept, and left by the next change', async () => {
    const { load, loads } = script(
      async () => thing(5),
      async () => thing(3),
    );
    const cache = open(load, { freshMs: 60_000 });
    await cache.find('k');
    cache.drop('t1', 6);
    for (let index = 0; index < 4; index++) expect((await cache.find('k')).value?.version).to.equal(3);
    expect([loads(), cache.lookups]).to.deep.equal([2, ['loaded', 'loaded', 'cached', 'cached', 'cached']]);
    cache.drop('t1', 4);
    await cache.find('k');
    expect(loads()).to.equal(3);
  });

  it('an answer that was loaded while the change was announced is loaded again, and never kept', async () => {
    let announce = (): void => {};
    const { load, loads } = script(
      async () => {
        announce();
        return thing(3);
      },
      async () => thing(4),
    );
    const cache = open(load, { freshMs: 60_000 });
    announce = () => cache.drop('t1', 4);
    expect((await cache.find('k')).value?.version).to.equal(4);
    expect((await cache.find('k')).value?.version).to.equal(4);
    expect(loads()).to.equal(2);
  });

  it('of two answers with one version the younger is kept', async () => {
    const answers = [async () => thing(1), async () => ({ ...thing(1), ageMs: 50_000 })];
    const cache = open(script(...answers).load);
    await cache.find('k');
    expect((await cache.find('k')).ageMs).to.be.below(50_000);
    expect(cache.lookups).to.deep.equal(['loaded', 'stale']);
  });

  it('a key that does not exist is not stored when answers are never fresh', async () => {
    const cache = open(
      script(
        async () => thing(1),
        async () => ({ value: undefined, ageMs: 0 }),
        unavailable,
      ).load,
    );
    await cache.find('k');
    expect((await cache.find('k')).value).to.equal(undefined);
    expect(await cache.find('k').catch((error: Error) => error.message)).to.equal('unavailable');
  });

  it('concurrent lookups of one key share one load', async () => {
    const { load, loads } = script(async () => thing(1));
    const cache = open(load);
    await Promise.all([cache.find('k'), cache.find('k')]);
    expect(loads()).to.equal(1);
  });

  it('the least recently used entry is evicted, and lookups of unknown keys evict none', async () => {
    let away = false;
    const cache = open(
      async (key) => {
        if (away) throw new Error('unavailable');
        return { value: key.startsWith('unknown') ? undefined : { id: key, version: 1 }, ageMs: 0 };
      },
      { maxEntries: 2 },
    );
    const outcomeOf = (key: string) =>
      cache.find(key).then(
        () => cache.lookups.at(-1),
        () => 'failed',
      );
    for (const key of ['a', 'b', 'a', 'c', 'unknown1', 'unknown2']) await cache.find(key);
    away = true;
    expect(await Promise.all(['a', 'b', 'c'].map(outcomeOf))).to.deep.equal(['stale', 'failed', 'stale']);
  });
});
