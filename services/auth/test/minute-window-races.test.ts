import { expect } from 'chai';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '@vds/chassis/database/database';
import type { Decision } from '../src/outbound/minute-window.ts';
import { openReplicas, type Replicas } from './replicas.ts';

type Seen = { readonly from: number; readonly to: number; readonly decision: Decision };

describe('the minute window, asked by many at once', function () {
  this.timeout(60_000);

  let replicas: Replicas;
  let pools: Replicas['pools'];
  let newKey: Replicas['newKey'];
  let ask: Replicas['ask'];

  before(async () => {
    replicas = await openReplicas();
    ({ pools, newKey, ask } = replicas);
  });
  after(async () => replicas.close());

  it('never admits more than the limit in any span of its length, asked through two pools at once', async () => {
    const [limit, windowMs] = [10, 1_500];
    const key = await newKey(limit);
    const seen: Seen[] = [];
    let places = 0;
    const client = async (pool: pg.Pool, pauseMs: number): Promise<void> => {
      while (places < 3 * limit) {
        const from = performance.now();
        const decision = await ask(key, windowMs, pool);
        seen.push({ from, to: performance.now(), decision });
        if (decision.minute.admitted) places++;
        await sleep(pauseMs);
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => client(pools[n % 2]!, 3 * n)));

    const admitted = seen.filter(({ decision }) => decision.minute.admitted);
    const refused = seen.filter(({ decision }) => !decision.minute.admitted);
    expect(refused).to.not.deep.equal([]);
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

  it('decides by the moment at which a request gets its turn, not by that at which it came', async () => {
    const key = await newKey(1);
    await ask(key, 250);
    const waiting = await withTransaction(pools[0], async (client) => {
      await client.query('select 1 from minute_windows where key_id = $1 for update', [key.id]);
      const asked = ask(key, 250, pools[1]);
      await client.query('select pg_sleep(0.3)');
      return { asked };
    });
    expect((await waiting.asked).minute.admitted).to.equal(true);
  });
});
