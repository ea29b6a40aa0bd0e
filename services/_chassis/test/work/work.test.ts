import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { addJobRows, startWorkers } from '../../src/work/work.ts';
import { until } from '@vds/testkit/until';
import { quiet } from '../fixtures.ts';
import { done, jobOf, workKit } from './work-kit.ts';

describe('work', () => {
  const { pool, failures, workers, keep, row } = workKit();

  it('runs a job once and commits its end with what the handler wrote', async () => {
    await pool().query('CREATE TABLE kept (payload jsonb)');
    await addJobRows(pool(), [jobOf('a', { payload: { n: 1 } })]);
    workers((job) =>
      job.complete(async (client) => void (await client.query('INSERT INTO kept VALUES ($1)', [job.payload]))),
    );
    await until(async () => (await row('a'))?.state === 'done', { what: 'the job' });
    expect(await row('a')).to.deep.equal({ state: 'done', tries: 1, fence: 1 });
    expect((await pool().query('SELECT payload FROM kept')).rows).to.deep.equal([{ payload: { n: 1 } }]);
  });

  it('leaves a job alone that exists already', async () => {
    expect(await addJobRows(pool(), [jobOf('a'), jobOf('a'), jobOf('b')])).to.equal(2);
  });

  it('tries a passing failure again, and a permanent one never', async () => {
    let tries = 0;
    await addJobRows(pool(), [jobOf('passing'), jobOf('permanent')]);
    workers(async (job) => {
      if (job.videoId === 'permanent') throw new AppError('INVALID_ARGUMENT', 'bad input');
      tries += 1;
      if (tries < 3) throw new Error('flaky');
      await done(job);
    });
    await until(async () => (await row('passing'))?.state === 'done' && failures.length === 1, { what: 'both ends' });
    expect(await row('passing')).to.include({ tries: 3 });
    expect(await row('permanent')).to.include({ state: 'failed', tries: 1 });
    expect(failures).to.deep.equal(['permanent:bad input']);
  });

  it('fails a job whose tries are spent', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    workers(() => Promise.reject(new Error('always')), { maxTries: 3 });
    await until(() => failures.length === 1, { what: 'the failure' });
    expect(await row('a')).to.include({ state: 'failed', tries: 3 });
  });

  it('takes tenants in turn, and the least work first', async () => {
    const order: string[] = [];
    await addJobRows(pool(), [
      ...[1, 2, 3].map((n) => jobOf(`big${n}`, { tenant: 'big', cost: 1 })),
      jobOf('small-long', { tenant: 'small', cost: 9 }),
      jobOf('small-short', { tenant: 'small', cost: 2 }),
    ]);
    const release = Promise.withResolvers<void>();
    workers(
      async (job) => {
        order.push(job.videoId);
        if (order.length <= 2) await release.promise;
        await done(job);
      },
      { slots: 2 },
    );
    await until(() => order.length === 2, { what: 'both slots' });
    expect(order).to.deep.equal(['big1', 'small-short']);
    release.resolve();
    await until(() => order.length === 5, { what: 'all jobs' });
  });

  it('starts at once when it is notified', async () => {
    const begun: number[] = [];
    const slow = startWorkers({
      pool: pool(),
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
    keep(slow);
    await sleep(200);
    await addJobRows(pool(), [jobOf('a')]);
    slow.notify();
    await until(() => begun.length === 1, { what: 'the start', capMs: 5_000 });
  });

  it('runs each of 60 jobs once over three processes', async () => {
    const seen: string[] = [];
    await addJobRows(
      pool(),
      Array.from({ length: 60 }, (_, n) => jobOf(`g${n}`)),
    );
    for (let n = 0; n < 3; n += 1)
      workers(
        async (job) => {
          seen.push(job.videoId);
          await done(job);
        },
        { slots: 3 },
      );
    await until(() => seen.length >= 60, { what: 'sixty jobs' });
    expect(new Set(seen).size).to.equal(60);
    expect(seen).to.have.length(60);
  });

  it('reports the five metrics, and zeros of a queue that is empty', async () => {
    const metrics = createMetrics('test');
    await addJobRows(pool(), [jobOf('waits')]);
    const empty = { slots: 0, run: async () => {}, failed: async () => {} };
    const idle = startWorkers({ pool: pool(), log: quiet, metrics, queues: { empty } });
    keep(idle);
    const page = await metrics.registry.metrics();
    expect(page)
      .to.match(/vds_work_ready\{queue="q".*\} 1/)
      .and.match(/vds_work_ready\{queue="empty".*\} 0/);
    expect(page).to.match(/vds_work_oldest_ready_seconds\{queue="q".*\} 0\.\d/);
    for (const name of [
      'vds_work_running',
      'vds_work_oldest_ready_seconds',
      'vds_work_tries_total',
      'vds_work_seconds',
    ])
      expect(page).to.contain(name);
  });

  it('puts a postponed job back for later at no cost of a try, with what the handler wrote', async () => {
    await pool().query('CREATE TABLE kept (word text)');
    await addJobRows(pool(), [jobOf('a')]);
    const fences: number[] = [];
    workers(async (job) => {
      fences.push(job.fence);
      if (job.fence === 2) return done(job);
      return job.postpone(20, async (client) => void (await client.query("INSERT INTO kept VALUES ('x')")));
    });
    await until(async () => (await row('a'))?.state === 'done', { what: 'the second claim' });
    expect(await row('a')).to.include({ tries: 1, fence: 2 });
    expect(fences).to.deep.equal([1, 2]);
    expect((await pool().query('SELECT * FROM kept')).rowCount).to.equal(1);
  });

  it('tries no further where the queue gives up', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    workers(() => Promise.reject(new Error('hopeless')), { givesUp: (_error, { tries }) => tries >= 2 });
    await until(() => failures.length === 1, { what: 'the failure' });
    expect(await row('a')).to.include({ state: 'failed', tries: 2 });
  });
});
