import { openStaleCache } from '@vds/chassis/cache/stale-cache';
import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';

type Thing = { readonly id: string; readonly version: number };
function thing(version: number): Thing {
  return { id: 't1', version };
}

describe('the stale cache', () => {
  let now = 0;
  beforeEach(() => void (now = 0));

  const open = (
    load: (key: string) => Promise<Thing | undefined>,
    limits: Partial<Record<'freshMs' | 'staleMs' | 'loadTimeoutMs' | 'maxEntries', number>> = {},
  ) => {
    const lookups: string[] = [];
    const causes: unknown[] = [];
    const cache = openStaleCache<Thing>({
      load,
      versionOf: (value) => value,
      maxEntries: 10,
      freshMs: 1_000,
      staleMs: 60_000,
      loadTimeoutMs: 50,
      ...limits,
      onLookup: (outcome) => void lookups.push(outcome),
      onStale: (cause) => void causes.push(cause),
      now: () => now,
    });
    return { ...cache, lookups, causes };
  };
  /** Returns one answer per load; the last answer is repeated. */
  const script = (...answers: (() => Promise<Thing | undefined>)[]) => {
    let loads = 0;
    const load = async (): Promise<Thing | undefined> => {
      const answer = answers[Math.min(loads, answers.length - 1)];
      loads += 1;
      if (!answer) throw new Error('no scripted answer');
      return answer();
    };
    return { load, loads: () => loads };
  };
  const unavailable = (): Promise<never> => Promise.reject(new Error('unavailable'));

  it('an answer is loaded once while it is fresh, and again afterwards', async () => {
    const { load, loads } = script(async () => thing(1));
    const cache = open(load);
    for (const at of [0, 999, 1_000]) {
      now = at;
      await cache.find('k');
    }
    expect([loads(), cache.lookups]).to.deep.equal([2, ['loaded', 'cached', 'loaded']]);
  });

  it('the last answer is returned with its age while a load fails, and a load is tried once a second', async () => {
    const { load, loads } = script(async () => thing(1), unavailable);
    const cache = open(load);
    await cache.find('k');
    now = 2_000;
    expect(await cache.find('k')).to.deep.equal({ value: thing(1), ageMs: 2_000 });
    now = 2_999;
    expect((await cache.find('k')).ageMs).to.equal(2_999);
    expect([loads(), cache.causes.length]).to.deep.equal([2, 1]);
    now = 3_000;
    await cache.find('k');
    expect([loads(), cache.causes.length]).to.deep.equal([3, 2]);
  });

  it('a load that exceeds its timeout returns the last answer, and its own answer is stored when it arrives', async () => {
    const late = Promise.withResolvers<Thing>();
    const cache = open(
      script(
        async () => thing(1),
        () => late.promise,
      ).load,
    );
    await cache.find('k');
    now = 1_000;
    expect((await cache.find('k')).value?.version).to.equal(1);
    late.resolve(thing(2));
    await setImmediate();
    now = 1_999; // the late answer was current when its load started
    expect((await cache.find('k')).value?.version).to.equal(2);
    expect(cache.lookups).to.deep.equal(['loaded', 'stale', 'cached']);
  });

  it('an answer that is too old is not returned', async () => {
    const cache = open(script(async () => thing(1), unavailable).load, { staleMs: 30_000 });
    await cache.find('k');
    now = 30_000;
    const failure = await cache.find('k').catch((error: Error) => error.message);
    expect([failure, cache.lookups.at(-1)]).to.deep.equal(['unavailable', 'failed']);
  });

  it('an answer is dropped by an announced change, and not returned even if no new one can be loaded', async () => {
    const cache = open(script(async () => thing(1), unavailable).load);
    await cache.find('k');
    cache.drop('t1', 2);
    expect(await cache.find('k').catch((error: Error) => error.message)).to.equal('unavailable');
  });

  it('after its source was restored an earlier version is loaded once, kept, and left by the next change', async () => {
    const { load, loads } = script(
      async () => thing(5),
      async () => thing(3),
    );
    const cache = open(load, { freshMs: 60_000 });
    await cache.find('k');
    now = 1;
    cache.drop('t1', 6);
    now = 2;
    for (let index = 0; index < 4; index++) expect((await cache.find('k')).value?.version).to.equal(3);
    expect([loads(), cache.lookups]).to.deep.equal([2, ['loaded', 'loaded', 'cached', 'cached', 'cached']]);
    cache.drop('t1', 4);
    now = 3;
    await cache.find('k');
    expect(loads()).to.equal(3);
  });

  it('an answer that was loaded while a change was announced is loaded again, and never kept', async () => {
    let announce = (): void => {};
    const { load, loads } = script(
      async () => {
        announce();
        return thing(3);
      },
      async () => thing(4),
    );
    const cache = open(load);
    announce = () => cache.drop('t1', 4);
    expect((await cache.find('k')).value?.version).to.equal(4);
    expect((await cache.find('k')).value?.version).to.equal(4);
    expect(loads()).to.equal(2);
  });

  it('a missing key is loaded again after a second', async () => {
    const { load, loads } = script(async () => undefined, unavailable);
    const cache = open(load);
    await cache.find('k');
    now = 999;
    expect((await cache.find('k')).value).to.equal(undefined);
    now = 1_000;
    expect(await cache.find('k').catch((error: Error) => error.message)).to.equal('unavailable');
    expect(loads()).to.equal(2);
  });

  it('concurrent lookups of one key share one load', async () => {
    const { load, loads } = script(async () => thing(1));
    const cache = open(load);
    await Promise.all([cache.find('k'), cache.find('k')]);
    expect(loads()).to.equal(1);
  });

  it('keys that do not exist evict no answer, however many are asked for', async () => {
    let loads = 0;
    const load = async (key: string): Promise<Thing | undefined> => {
      loads += 1;
      return key.startsWith('real') ? { id: key, version: 1 } : undefined;
    };
    const cache = open(load, { maxEntries: 2 });
    for (const key of ['real-1', 'real-2']) await cache.find(key);
    for (let made = 0; made < 3_000; made += 1) await cache.find(`made-up-${made}`);
    expect([await cache.find('real-1'), await cache.find('real-2')].map(({ value }) => value?.id)).to.deep.equal([
      'real-1',
      'real-2',
    ]);
    expect([loads, cache.has('made-up-2999'), cache.has('made-up-0')]).to.deep.equal([3_002, true, false]);
  });

  it('a key that has come to exist is found, and one that has ceased to is not', async () => {
    const { load } = script(
      async () => undefined,
      async () => thing(1),
      async () => undefined,
    );
    const cache = open(load);
    const values: unknown[] = [];
    for (now of [0, 1_001, 2_002, 2_003]) values.push((await cache.find('k')).value?.version);
    expect(values).to.deep.equal([undefined, 1, undefined, undefined]);
  });

  it('the least recently used entry is evicted', async () => {
    let isUnavailable = false;
    const load = async (key: string): Promise<Thing> => {
      if (isUnavailable) throw new Error('unavailable');
      return { id: key, version: 1 };
    };
    const cache = open(load, { maxEntries: 2 });
    const outcomeOf = (key: string) =>
      cache.find(key).then(
        () => cache.lookups.at(-1),
        () => 'failed',
      );
    for (const key of ['a', 'b', 'a', 'c']) await cache.find(key);
    isUnavailable = true;
    now = 1_000;
    expect([await outcomeOf('a'), await outcomeOf('b'), await outcomeOf('c')]).to.deep.equal([
      'stale',
      'failed',
      'stale',
    ]);
  });
});
