import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../src/errors.ts';
import { createMetrics } from '../src/metrics.ts';
import { cancelGroup, enqueue, startWorkers, type Job, type NewWork, type Queue } from '../src/work.ts';
import { testDatabase, type TestDatabase } from '../testing/database.ts';
import { until } from '../testing/until.ts';
import { poolOf, quiet } from './fixtures.ts';

const unit = (groupKey: string, more: Partial<NewWork> = {}): NewWork => ({
  queue: 'q',
  groupKey,
  attempt: 1,
  unit: 'u',
  ...more,
});

describe('work', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;
  const started: ReturnType<typeof startWorkers>[] = [];
  beforeEach(async () => {
    database = await testDatabase();
    pool = poolOf(database);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((workers) => workers.close()));
    await pool.close();
    await database.drop();
  });

  const failures: string[] = [];
  beforeEach(() => void failures.splice(0));
  const workers = (
    run: Queue['run'],
    more: Partial<Queue> = {},
    times: { leaseMs?: number; renewMs?: number } = {},
  ) => {
    const queue: Queue = {
      slots: 1,
      run,
      failed: async (_client, job, error) => void failures.push(`${job.groupKey}:${(error as Error).message}`),
      ...more,
    };
    const all = startWorkers({
      pool,
      queues: { q: queue },
      log: quiet,
      metrics: createMetrics('test'),
      pollMs: 50,
      retryDelaysMs: [20],
      ...times,
    });
    started.push(all);
    return all;
  };
  const row = async (groupKey: string) =>
    (
      await pool.query<{ state: string; tries: number; fence: number; result: unknown }>(
        'SELECT state, tries, fence, result FROM chassis.work WHERE group_key = $1',
        [groupKey],
      )
    ).rows[0];
  const done = (job: Job): Promise<void> => job.complete();

  it('runs a unit once and keeps its result with what the handler wrote beside it', async () => {
    await pool.query('CREATE TABLE kept (word text)');
    await enqueue(pool, [unit('a', { payload: { n: 1 } })]);
    workers((job) =>
      job.complete(async (client) => void (await client.query("INSERT INTO kept VALUES ('x')")), { saw: job.payload }),
    );
    await until(async () => (await row('a'))?.state === 'done', { what: 'the unit' });
    expect(await row('a')).to.deep.equal({ state: 'done', tries: 1, fence: 1, result: { saw: { n: 1 } } });
    expect((await pool.query('SELECT * FROM kept')).rowCount).to.equal(1);
  });

  it('leaves a unit alone that is there already', async () => {
    expect(await enqueue(pool, [unit('a'), unit('a'), unit('b')])).to.equal(2);
  });

  it('tries a passing failure again, and a permanent one never', async () => {
    let tries = 0;
    await enqueue(pool, [unit('passing'), unit('permanent')]);
    workers(async (job) => {
      if (job.groupKey === 'permanent') throw new AppError('INVALID_ARGUMENT', 'bad input');
      tries += 1;
      if (tries < 3) throw new Error('flaky');
      await done(job);
    });
    await until(async () => (await row('passing'))?.state === 'done' && failures.length === 1, { what: 'both ends' });
    expect(await row('passing')).to.include({ tries: 3 });
    expect(await row('permanent')).to.include({ state: 'failed', tries: 1 });
    expect(failures).to.deep.equal(['permanent:bad input']);
  });

  it('fails a unit whose tries are spent', async () => {
    await enqueue(pool, [unit('a')]);
    workers(() => Promise.reject(new Error('always')), { maxTries: 3 });
    await until(() => failures.length === 1, { what: 'the failure' });
    expect(await row('a')).to.include({ state: 'failed', tries: 3 });
  });

  it('takes tenants in turn, and the least work first', async () => {
    const order: string[] = [];
    await enqueue(pool, [
      ...[1, 2, 3].map((n) => unit(`big${n}`, { tenant: 'big', cost: 1 })),
      unit('small-long', { tenant: 'small', cost: 9 }),
      unit('small-short', { tenant: 'small', cost: 2 }),
    ]);
    const release = Promise.withResolvers<void>();
    workers(
      async (job) => {
        order.push(job.groupKey);
        if (order.length <= 2) await release.promise;
        await done(job);
      },
      { slots: 2 },
    );
    await until(() => order.length === 2, { what: 'both slots' });
    expect(order).to.deep.equal(['big1', 'small-short']);
    release.resolve();
    await until(() => order.length === 5, { what: 'all units' });
  });

  it('gives a running unit back when it stops, at no cost of a try, and another process takes it', async () => {
    await enqueue(pool, [unit('a')]);
    const first = workers((job) => sleep(60_000, undefined, { signal: job.signal }));
    await until(async () => (await row('a'))?.state === 'running', { what: 'the claim' });
    await first.close();
    expect(await row('a')).to.include({ state: 'ready', tries: 0 });
    workers(done);
    await until(async () => (await row('a'))?.state === 'done', { what: 'the second process' });
    expect(await row('a')).to.include({ fence: 2, tries: 1 });
  });

  it('gives a unit back that it claims while it is being stopped', async () => {
    await enqueue(pool, [unit('a')]);
    const blocker = await pool.connect();
    await blocker.query('BEGIN; LOCK TABLE chassis.work IN ACCESS EXCLUSIVE MODE');
    let ran = 0;
    const stopped = workers(async (job) => {
      ran += 1;
      await done(job);
    });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    // Not on the blocker: within one transaction PostgreSQL shows the activity of its first look again and again.
    await until(async () => (await pool.query(waiting)).rowCount, { what: 'the claim waits for the table' });
    const closed = stopped.close();
    await blocker.query('COMMIT');
    blocker.release();
    await closed;
    expect(ran).to.equal(0);
    expect(await row('a')).to.include({ state: 'ready', tries: 0 });
  });

  it('refuses the result of a worker whose lease ran out', async () => {
    await enqueue(pool, [unit('a')]);
    const late = Promise.withResolvers<unknown>();
    workers(async (job) => {
      await pool.query("UPDATE chassis.work SET lease_until = now() - interval '1 second'");
      workers(done);
      await until(async () => (await row('a'))?.state === 'done', { what: 'the other worker' });
      const refused = await job.complete().catch((error: unknown) => error);
      late.resolve(refused);
      throw refused;
    });
    expect(await late.promise)
      .to.be.instanceOf(AppError)
      .with.property('code', 'ABORTED');
    expect(await row('a')).to.include({ state: 'done', fence: 2 });
  });

  it('keeps the lease of a long unit', async () => {
    await enqueue(pool, [unit('a')]);
    workers(
      async (job) => {
        await sleep(1_200);
        await done(job);
      },
      {},
      { leaseMs: 600, renewMs: 100 },
    );
    workers(done, {}, { leaseMs: 600, renewMs: 100 });
    await until(async () => (await row('a'))?.state === 'done', { what: 'the unit' });
    expect(await row('a')).to.include({ fence: 1 });
  });

  it('stops what is cancelled, here and in other processes', async () => {
    await enqueue(pool, [unit('a')]);
    const reasons: unknown[] = [];
    workers(
      async (job) => {
        await sleep(60_000, undefined, { signal: job.signal }).catch(() => reasons.push(job.signal.reason));
        job.signal.throwIfAborted();
      },
      {},
      { leaseMs: 1_000, renewMs: 50 },
    );
    await until(async () => (await row('a'))?.state === 'running', { what: 'the claim' });
    expect(await cancelGroup(pool, 'a')).to.equal(1);
    await until(() => reasons.length === 1, { what: 'the abort' });
    expect(await row('a')).to.include({ state: 'cancelled' });
    expect(failures).to.deep.equal([]);
  });

  it('starts within 100 ms of the bell', async () => {
    const begun: number[] = [];
    const slow = startWorkers({
      pool,
      log: quiet,
      metrics: createMetrics('test'),
      pollMs: 60_000,
      queues: {
        q: {
          slots: 1,
          failed: async () => {},
          run: async (job) => {
            begun.push(Date.now());
            await done(job);
          },
        },
      },
    });
    started.push(slow);
    await sleep(200);
    await enqueue(pool, [unit('a')]);
    slow.ring();
    await until(() => begun.length === 1, { what: 'the start', capMs: 5_000 });
  });

  it('runs each of 60 units once over three processes', async () => {
    const seen: string[] = [];
    await enqueue(
      pool,
      Array.from({ length: 60 }, (_, n) => unit(`g${n}`)),
    );
    for (let n = 0; n < 3; n += 1)
      workers(
        async (job) => {
          seen.push(job.groupKey);
          await done(job);
        },
        { slots: 3 },
      );
    await until(() => seen.length >= 60, { what: 'sixty units' });
    expect(new Set(seen).size).to.equal(60);
    expect(seen).to.have.length(60);
  });

  it('reports the five metrics', async () => {
    const metrics = createMetrics('test');
    await enqueue(pool, [unit('waits')]);
    const idle = startWorkers({ pool, log: quiet, metrics, queues: {} });
    started.push(idle);
    const page = await metrics.registry.metrics();
    expect(page).to.match(/vds_work_ready\{queue="q".*\} 1/);
    for (const name of [
      'vds_work_running',
      'vds_work_oldest_ready_seconds',
      'vds_work_tries_total',
      'vds_work_seconds',
    ])
      expect(page).to.contain(name);
  });
});
