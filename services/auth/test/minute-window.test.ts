import { expect } from 'chai';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '@vds/shared/testing/database';
import { parseApiKey, type ApiKey } from '../src/domain/api-key.ts';
import { candidateHashes, type Peppers } from '../src/outbound/key-hash.ts';
import { issueKey, setLimits, type KeyStore } from '../src/outbound/keys.ts';
import { decide, pruneWindows, type Decision } from '../src/outbound/minute-window.ts';
import { openPrisma } from '../src/outbound/prisma.ts';
import { createPublisher } from '../src/outbound/publishers.ts';
import { authDatabase } from './fixtures.ts';

type Seen = { readonly from: number; readonly to: number; readonly decision: Decision };

describe('the minute window', () => {
  const peppers: Peppers = [{ id: 'one', key: randomBytes(32) }];
  let database: TestDatabase;
  let pools: pg.Pool[];
  let store: KeyStore & { prisma: ReturnType<typeof openPrisma> };

  before(async () => {
    database = await authDatabase();
    pools = [1, 2].map(() => new pg.Pool({ ...database.poolConfig, max: 8 }));
    store = { prisma: openPrisma(pools[0]!), peppers };
  });
  after(async () => {
    await store.prisma.close();
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });

  const newKey = async (minuteLimit: number): Promise<ApiKey> => {
    const { id } = await createPublisher(store.prisma, { name: 'n', organization: 'o' });
    const { secretKey } = await issueKey(store, id, ['videos:read'], { minuteLimit, dailyLimit: undefined });
    return parseApiKey(secretKey)!;
  };
  const ask = async (key: ApiKey, windowMs: number, pool = pools[0]!): Promise<Decision> => {
    const decision = await decide(pool, key.id, candidateHashes(peppers, key), windowMs);
    expect(decision, 'a decision about a valid key').to.not.equal(null);
    return decision!;
  };
  const placesOf = async (key: ApiKey): Promise<{ places: string[]; decided_at: string }> => {
    const { rows } = await pools[0]!.query(
      `select array(select (extract(epoch from p) * 1000000)::bigint from unnest(places) p) places,
        (extract(epoch from decided_at) * 1000000)::bigint decided_at from minute_windows where key_id = $1`,
      [key.id],
    );
    return rows[0];
  };

  it('admits as many as the limit says, counts them down, and takes nothing for the others', async () => {
    const key = await newKey(3);
    const minutes = [];
    for (let n = 0; n < 5; n++) minutes.push((await ask(key, 60_000)).minute);
    expect(minutes).to.deep.equal([
      { admitted: true, limit: 3, remaining: 2, retryAfterSeconds: 0 },
      { admitted: true, limit: 3, remaining: 1, retryAfterSeconds: 0 },
      { admitted: true, limit: 3, remaining: 0, retryAfterSeconds: 0 },
      { admitted: false, limit: 3, remaining: 0, retryAfterSeconds: 60 },
      { admitted: false, limit: 3, remaining: 0, retryAfterSeconds: 60 },
    ]);
    expect((await placesOf(key)).places).to.have.length(3);
  });

  it('decides like the definition, whatever the distances and the changes of the limit', async () => {
    const windowMs = 60;
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 40 }) }) },
      { weight: 1, arbitrary: fc.record({ limit: fc.integer({ min: 1, max: 6 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { minLength: 5, maxLength: 25 }),
        async (first, steps) => {
          const key = await newKey(first);
          let limit = first;
          let admitted: number[] = [];
          for (const one of steps) {
            if ('limit' in one) {
              limit = one.limit;
              await setLimits(store, key.id, { minuteLimit: limit, dailyLimit: undefined });
              continue;
            }
            await sleep(one.wait);
            const { minute } = await ask(key, windowMs);
            const now = Number((await placesOf(key)).decided_at); // microseconds of the database's clock
            const live = admitted.filter((at) => at > now - windowMs * 1_000);
            const passes = live.length < limit;
            const next = (live.at(-limit) ?? 0) + windowMs * 1_000; // when the place that is `limit` from the end leaves
            expect(minute).to.deep.equal({
              admitted: passes,
              limit,
              remaining: Math.max(0, limit - live.length - (passes ? 1 : 0)),
              retryAfterSeconds: passes ? 0 : Math.ceil((next - now) / 1_000_000),
            });
            if (passes) admitted = [...live, now];
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  it('never admits more than the limit in any span of its length, asked through two pools at once', async () => {
    const [limit, windowMs] = [10, 1_500];
    const key = await newKey(limit);
    const seen: Seen[] = [];
    const end = performance.now() + 4_000;
    const client = async (pool: pg.Pool, pauseMs: number): Promise<void> => {
      while (performance.now() < end) {
        const from = performance.now();
        const decision = await ask(key, windowMs, pool);
        seen.push({ from, to: performance.now(), decision });
        await sleep(pauseMs);
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => client(pools[n % 2]!, 3 * n)));

    const admitted = seen.filter(({ decision }) => decision.minute.admitted);
    const refused = seen.filter(({ decision }) => !decision.minute.admitted);
    expect(refused.length).to.be.above(100);
    // A decision falls between the call's begin and end: only what no choice of moments explains is a breach.
    const byEnd = admitted.toSorted((a, b) => a.to - b.to);
    for (const one of admitted) {
      const within = byEnd.filter(({ from, to }) => from >= one.from && to < one.from + windowMs);
      expect(within.length).to.be.at.most(limit);
    }
    // And a refusal needs a full window before it.
    for (const one of refused) {
      const before = admitted.filter(({ from, to }) => to > one.from - windowMs && from < one.to);
      expect(before.length).to.be.at.least(limit);
    }
    // It is a sliding window and not a leaky one: each window's worth was used.
    expect(admitted.length).to.be.within(3 * limit - 5, 3 * limit);
  });

  it('gives each of many first requests at once its own place', async () => {
    const key = await newKey(8);
    const decisions = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(key, 60_000, pools[n % 2]!)));
    expect(
      decisions
        .filter(({ minute }) => minute.admitted)
        .map(({ minute }) => minute.remaining)
        .toSorted((a, b) => a - b),
    ).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('holds a lower limit from the next request on, and a higher one too', async () => {
    const key = await newKey(5);
    for (let n = 0; n < 4; n++) await ask(key, 60_000);
    await setLimits(store, key.id, { minuteLimit: 2, dailyLimit: undefined });
    expect((await ask(key, 60_000)).minute).to.deep.include({ admitted: false, limit: 2, remaining: 0 });
    await setLimits(store, key.id, { minuteLimit: 6, dailyLimit: undefined });
    expect((await ask(key, 60_000)).minute).to.deep.include({ admitted: true, limit: 6, remaining: 1 });
  });

  it('is left alone by wrong secrets', async () => {
    const key = await newKey(1);
    const wrong = { ...key, secret: 'x'.repeat(32) };
    for (let n = 0; n < 5; n++)
      expect(await decide(pools[0]!, key.id, candidateHashes(peppers, wrong), 60_000)).to.equal(null);
    expect(await placesOf(key)).to.equal(undefined);
    expect((await ask(key, 60_000)).minute.admitted).to.equal(true);
  });

  it('is forgotten once the key was idle for two windows, not before', async () => {
    const [idle, busy] = [await newKey(1), await newKey(1)];
    await ask(idle, 60_000);
    await pools[0]!.query(`update minute_windows set decided_at = decided_at - interval '121 s' where key_id = $1`, [
      idle.id,
    ]);
    await ask(busy, 60_000);
    expect(await pruneWindows(pools[0]!, 60_000)).to.equal(1);
    expect(await placesOf(idle)).to.equal(undefined);
    expect((await ask(busy, 60_000)).minute.admitted).to.equal(false);
  });

  it('serves a limit of ten thousand', async () => {
    const key = await newKey(10_000);
    await ask(key, 60_000);
    await pools[0]!.query(
      `update minute_windows set places = array(select decided_at - interval '500 ms' - n * interval '1 ms' from generate_series(9998, 0, -1) n)
       where key_id = $1`,
      [key.id],
    );
    expect((await ask(key, 60_000)).minute).to.deep.include({ admitted: true, remaining: 0 });
    expect((await ask(key, 60_000)).minute).to.deep.include({ admitted: false, retryAfterSeconds: 50 });
  });
});
