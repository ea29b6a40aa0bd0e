import { expect } from 'chai';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { candidateHashes } from '../src/outbound/key-hash.ts';
import { decide, pruneWindows } from '../src/outbound/minute-window.ts';
import { openReplicas, peppers, type Replicas } from './replicas.ts';
import { runs } from '@vds/testkit/counts';

describe('the minute window', function () {
  this.timeout(60_000);

  let replicas: Replicas;
  let pools: Replicas['pools'];
  let newKey: Replicas['newKey'];
  let ask: Replicas['ask'];
  let setMinuteLimit: Replicas['setMinuteLimit'];
  let storedWindow: Replicas['storedWindow'];

  before(async () => {
    replicas = await openReplicas();
    ({ pools, newKey, ask, setMinuteLimit, storedWindow } = replicas);
  });
  after(async () => replicas.close());

  it('admits as many as the limit says, counts them down, and takes nothing for the others', async () => {
    const key = await newKey(3);
    const minutes = [];
    for (let n = 0; n < 5; n++) minutes.push((await ask(key, 60_000)).minute);
    expect(minutes.slice(0, 3)).to.deep.equal([
      { admitted: true, limit: 3, remaining: 2, retryAfterSeconds: 0 },
      { admitted: true, limit: 3, remaining: 1, retryAfterSeconds: 0 },
      { admitted: true, limit: 3, remaining: 0, retryAfterSeconds: 0 },
    ]);
    for (const { retryAfterSeconds, ...refused } of minutes.slice(3)) {
      expect(refused).to.deep.equal({ admitted: false, limit: 3, remaining: 0 });
      expect(retryAfterSeconds).to.be.within(50, 60); // 60 on an idle machine
    }
    expect((await storedWindow(key))?.places).to.have.length(3);
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
              await setMinuteLimit(key, limit);
              continue;
            }
            await sleep(one.wait);
            const { minute } = await ask(key, windowMs);
            const now = Number((await storedWindow(key))?.decided_at); // microseconds of the database's clock
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
      { numRuns: runs(10) },
    );
  });

  it('holds a lower limit from the next request on, and a higher one too', async () => {
    const key = await newKey(5);
    for (let n = 0; n < 4; n++) await ask(key, 60_000);
    await setMinuteLimit(key, 2);
    expect((await ask(key, 60_000)).minute).to.deep.include({ admitted: false, limit: 2, remaining: 0 });
    await setMinuteLimit(key, 6);
    expect((await ask(key, 60_000)).minute).to.deep.include({ admitted: true, limit: 6, remaining: 1 });
  });

  it('keeps its order when the clock of the database is set back', async () => {
    const key = await newKey(2);
    await ask(key, 60_000);
    await pools[0].query(
      `update minute_windows set decided_at = decided_at + interval '5 s', places = array[decided_at + interval '5 s']
       where key_id = $1`,
      [key.id],
    );
    await ask(key, 60_000);
    const { places } = (await storedWindow(key))!;
    expect(places).to.deep.equal([places[0], places[0]]);
  });

  it('is left alone by wrong secrets', async () => {
    const key = await newKey(1);
    const wrong = { ...key, secret: 'x'.repeat(32) };
    for (let n = 0; n < 5; n++)
      expect(await decide(pools[0], key.id, candidateHashes(peppers, wrong), 60_000)).to.equal(null);
    expect(await storedWindow(key)).to.equal(undefined);
    expect((await ask(key, 60_000)).minute.admitted).to.equal(true);
  });

  it('is forgotten once the key was idle for two windows, not before', async () => {
    const [idle, busy] = [await newKey(1), await newKey(1)];
    await ask(idle, 60_000);
    await pools[0].query(`update minute_windows set decided_at = decided_at - interval '121 s' where key_id = $1`, [
      idle.id,
    ]);
    await ask(busy, 60_000);
    expect(await pruneWindows(pools[0], 60_000)).to.equal(1);
    expect(await storedWindow(idle)).to.equal(undefined);
    expect((await ask(busy, 60_000)).minute.admitted).to.equal(false);
  });

  it('serves a limit of ten thousand', async () => {
    const key = await newKey(10_000);
    await ask(key, 60_000);
    await pools[0].query(
      `update minute_windows set places = array(select decided_at - interval '500 ms' - n * interval '1 ms' from generate_series(9998, 0, -1) n)
       where key_id = $1`,
      [key.id],
    );
    expect((await ask(key, 60_000)).minute).to.deep.include({ admitted: true, remaining: 0 });
    const { admitted, retryAfterSeconds } = (await ask(key, 60_000)).minute;
    expect(admitted).to.equal(false);
    expect(retryAfterSeconds).to.be.within(40, 50); // the oldest place is 10.5 s old
  });
});
