import { expect } from 'chai';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { candidateHashes } from '../src/outbound/key-hash.ts';
import { decide, pruneWindows } from '../src/outbound/minute-window.ts';
import { openReplicas, peppers, type Replicas } from './replicas.ts';
import { runs } from '@vds/testkit/counts';
import { until } from '@vds/testkit/until';

describe('the minute window', function () {
  this.timeout(60_000);

  let replicas: Replicas;
  let pools: Replicas['pools'];
  let newKey: Replicas['newKey'];
  let request: Replicas['request'];
  let setMinuteLimit: Replicas['setMinuteLimit'];
  let storedWindow: Replicas['storedWindow'];

  before(async () => {
    replicas = await openReplicas();
    ({ pools, newKey, request, setMinuteLimit, storedWindow } = replicas);
  });
  after(async () => replicas.close());

  it('the minute window admits requests up to the limit, counts down, and does not count rejected ones', async () => {
    const key = await newKey(3);
    const minutes = [];
    for (let n = 0; n < 5; n++) minutes.push((await request(key, 60_000)).minute);
    expect(minutes.slice(0, 3)).to.deep.equal([
      { admitted: true, limit: 3, remaining: 2, retryAfterSeconds: 0 },
      { admitted: true, limit: 3, remaining: 1, retryAfterSeconds: 0 },
      { admitted: true, limit: 3, remaining: 0, retryAfterSeconds: 0 },
    ]);
    for (const { retryAfterSeconds, ...rejected } of minutes.slice(3)) {
      expect(rejected).to.deep.equal({ admitted: false, limit: 3, remaining: 0 });
      expect(retryAfterSeconds).to.be.within(50, 60); // 60 on an idle machine
    }
    expect((await storedWindow(key))?.request_times).to.have.length(3);
  });

  it('the minute window decides like its definition, whatever the gaps and limit changes', async () => {
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
              await setMinuteLimit(key, limit);
              continue;
            }
            await sleep(one.wait);
            const { minute } = await request(key, windowMs);
            const now = Number((await storedWindow(key))?.decided_at); // microseconds of the database's clock
            const live = admitted.filter((at) => at > now - windowMs * 1_000);
            const passes = live.length < limit;
            const next = (live.at(-limit) ?? 0) + windowMs * 1_000; // when the `limit`-th request from the end leaves
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
      { numRuns: runs(10) },
    );
  });

  it('a lowered or raised minute limit applies from the next request on', async () => {
    const key = await newKey(5);
    for (let n = 0; n < 4; n++) await request(key, 60_000);
    await setMinuteLimit(key, 2);
    expect((await request(key, 60_000)).minute).to.deep.include({ admitted: false, limit: 2, remaining: 0 });
    await setMinuteLimit(key, 6);
    expect((await request(key, 60_000)).minute).to.deep.include({ admitted: true, limit: 6, remaining: 1 });
  });

  it('the minute window stays ordered when the clock of the database is set back', async () => {
    const key = await newKey(2);
    await request(key, 60_000);
    await pools[0].query(
      `update minute_windows set decided_at = decided_at + interval '5 s', request_times = array[decided_at + interval '5 s']
       where key_id = $1`,
      [key.id],
    );
    await request(key, 60_000);
    const { request_times: times } = (await storedWindow(key))!;
    expect(times).to.deep.equal([times[0], times[0]]);
  });

  it('attempts at one request are counted once, on any replica and at the limit', async () => {
    const key = await newKey(2);
    await request(key, 60_000, pools[0], 'req_1');
    const attempts = await Promise.all([0, 1, 2, 3].map((n) => request(key, 60_000, pools[n % pools.length], 'req_2')));
    for (const { minute } of attempts) expect(minute).to.deep.include({ admitted: true, remaining: 0 });
    expect((await storedWindow(key))?.request_times).to.have.length(2);
    expect((await request(key, 60_000, pools[0], 'req_3')).minute.admitted).to.equal(false);
    expect((await request(key, 60_000, pools[0], 'req_1')).minute.admitted).to.equal(true);
    // Once it has left the window, an id is a new request.
    await until(async () => (await request(key, 50, pools[0], 'req_3')).minute.admitted, {
      what: 'the window moves on',
    });
  });

  it('a wrong secret does not touch the minute window', async () => {
    const key = await newKey(1);
    const wrong = { ...key, secret: 'x'.repeat(32) };
    for (let n = 0; n < 5; n++)
      expect(await decide(pools[0], key.id, candidateHashes(peppers, wrong), 60_000)).to.equal(null);
    expect(await storedWindow(key)).to.equal(undefined);
    expect((await request(key, 60_000)).minute.admitted).to.equal(true);
  });

  it('the minute window is deleted once the key has been idle for two windows, not before', async () => {
    const [idle, busy] = [await newKey(1), await newKey(1)];
    await request(idle, 60_000);
    await pools[0].query(`update minute_windows set decided_at = decided_at - interval '121 s' where key_id = $1`, [
      idle.id,
    ]);
    await request(busy, 60_000);
    expect(await pruneWindows(pools[0], 60_000)).to.equal(1);
    expect(await storedWindow(idle)).to.equal(undefined);
    expect((await request(busy, 60_000)).minute.admitted).to.equal(false);
  });

  it('the minute window supports a limit of ten thousand', async () => {
    const key = await newKey(10_000);
    await request(key, 60_000);
    await pools[0].query(
      `update minute_windows set request_times = array(select decided_at - interval '500 ms' - n * interval '1 ms' from generate_series(9998, 0, -1) n)
       where key_id = $1`,
      [key.id],
    );
    expect((await request(key, 60_000)).minute).to.deep.include({ admitted: true, remaining: 0 });
    const { admitted, retryAfterSeconds } = (await request(key, 60_000)).minute;
    expect(admitted).to.equal(false);
    expect(retryAfterSeconds).to.be.within(40, 50); // the oldest request is 10.5 s old
  });
});
