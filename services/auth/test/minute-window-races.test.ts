import { expect } from 'chai';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '@vds/chassis/database/database';
import type { Decision } from '../src/outbound/minute-window.ts';
import { openReplicas, type Replicas } from './replicas.ts';

type Seen = { readonly from: number; readonly to: number; readonly decision: Decision };

describe('the minute window under concurrent requests', function () {
  this.timeout(60_000);

  let replicas: Replicas;
  let pools: Replicas['pools'];
  let newKey: Replicas['newKey'];
  let request: Replicas['request'];

  before(async () => {
    replicas = await openReplicas();
    ({ pools, newKey, request } = replicas);
  });
  after(async () => replicas.close());

  it('the minute window never admits more than the limit in any span of its length, through two pools at once', async () => {
    const [limit, windowMs] = [10, 1_500];
    const key = await newKey(limit);
    const seen: Seen[] = [];
    let admittedCount = 0;
    const client = async (pool: pg.Pool, pauseMs: number): Promise<void> => {
      while (admittedCount < 3 * limit) {
        const from = performance.now();
        const decision = await request(key, windowMs, pool);
        seen.push({ from, to: performance.now(), decision });
        if (decision.minute.admitted) admittedCount++;
        await sleep(pauseMs);
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => client(pools[n % 2]!, 3 * n)));

    const admitted = seen.filter(({ decision }) => decision.minute.admitted);
    const rejected = seen.filter(({ decision }) => !decision.minute.admitted);
    expect(rejected).to.not.deep.equal([]);
    // A decision falls between the call's start and end: it is a breach only if no choice of moments explains it.
    const byEnd = admitted.toSorted((a, b) => a.to - b.to);
    for (const one of admitted) {
      const within = byEnd.filter(({ from, to }) => from >= one.from && to < one.from + windowMs);
      expect(within.length).to.be.at.most(limit);
    }
    // And a rejection needs a full window before it.
    for (const one of rejected) {
      const before = admitted.filter(({ from, to }) => to > one.from - windowMs && from < one.to);
      expect(before.length).to.be.at.least(limit);
    }
  });

  it('concurrent first requests of a key are each counted', async () => {
    const key = await newKey(8);
    const decisions = await Promise.all(Array.from({ length: 30 }, (_, n) => request(key, 60_000, pools[n % 2]!)));
    expect(
      decisions
        .filter(({ minute }) => minute.admitted)
        .map(({ minute }) => minute.remaining)
        .toSorted((a, b) => a - b),
    ).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('the minute window uses the time at which a request gets the row lock, not the time of its arrival', async () => {
    const key = await newKey(1);
    await request(key, 250);
    const waiting = await withTransaction(pools[0], async (client) => {
      await client.query('select 1 from minute_windows where key_id = $1 for update', [key.id]);
      const pending = request(key, 250, pools[1]);
      await client.query('select pg_sleep(0.3)');
      return { pending };
    });
    expect((await waiting.pending).minute.admitted).to.equal(true);
  });
});
