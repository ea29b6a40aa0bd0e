import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { addJobRows } from '../../src/work/job-rows.ts';
import type { Job } from '../../src/work/queue.ts';
import { startWorkers } from '../../src/work/work.ts';
import { until } from '@vds/testkit/until';
import { done, jobOf, workKit, workOptions } from './work-kit.ts';

describe('workers', () => {
  const { pool, failures, workers, keep, row } = workKit();

  it('a job runs once, and its end is committed together with what its handler wrote', async () => {
    await pool().query('CREATE TABLE kept (payload jsonb)');
    await addJobRows(pool(), [jobOf('a', { payload: { n: 1 } })]);
    workers((job) =>
      job.complete(async (client) => void (await client.query('INSERT INTO kept VALUES ($1)', [job.payload]))),
    );
    await until(async () => (await row('a'))?.state === 'done', { what: 'the job' });
    expect(await row('a')).to.deep.equal({ state: 'done', tries: 0, crashes: 0, fence: 1 });
    expect((await pool().query('SELECT payload FROM kept')).rows).to.deep.equal([{ payload: { n: 1 } }]);
  });

  it('adding an existing job leaves it unchanged', async () => {
    expect(await addJobRows(pool(), [jobOf('a'), jobOf('a'), jobOf('b')])).to.equal(2);
  });

  it('a job that fails with a defect is retried, and one that fails permanently is not', async () => {
    let tries = 0;
    await addJobRows(pool(), [jobOf('passing'), jobOf('permanent')]);
    workers(async (job) => {
      if (job.videoId === 'permanent') throw new AppError('INVALID_ARGUMENT', 'bad input');
      tries += 1;
      if (tries < 3) throw new Error('flaky');
      await done(job);
    });
    await until(async () => (await row('passing'))?.state === 'done' && failures.length === 1, { what: 'both ends' });
    expect(await row('passing')).to.include({ tries: 2, fence: 3 });
    expect(await row('permanent')).to.include({ state: 'failed', fence: 1 });
    expect(failures).to.deep.equal(['permanent:bad input']);
  });

  it('a job fails when its tries are spent', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    workers(() => Promise.reject(new Error('always')), { maxTries: 3 });
    await until(() => failures.length === 1, { what: 'the failure' });
    expect(await row('a')).to.include({ state: 'failed', fence: 3 });
  });

  it('tenants are served in turn, and within a tenant the least work first', async () => {
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

  it('an idle worker that is notified claims at once', async () => {
    const begun: number[] = [];
    const slow = startWorkers({
      ...workOptions(pool()),
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
    await until(() => begun.length === 1, { what: 'the start' });
  });

  it('a job that another process adds while it works, or that was for later, is claimed by an idle one at once', async () => {
    const begun: string[] = [];
    await addJobRows(pool(), [jobOf('first'), jobOf('later', { delayMs: 300 })]);
    const run = async (job: Job): Promise<void> => {
      begun.push(job.videoId);
      if (job.videoId === 'first') {
        await until(() => begun.includes('later'), { what: 'the one for later' });
        // Without a notification, which only this process would have.
        await addJobRows(pool(), [jobOf('added')]);
        await until(() => begun.includes('added'), { what: 'the added one' });
      }
      await done(job);
    };
    for (let n = 0; n < 2; n += 1) workers(run, {}, { pollMs: 60_000 });
    await until(async () => (await row('first'))?.state === 'done', { what: 'the first job' });
  });

  it('each of 60 jobs runs once over three processes', async () => {
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

  it('a single slot serves tenants in turn, however many jobs one of them has begun', async () => {
    const jobsOf = (tenant: string, count: number) =>
      Array.from({ length: count }, (_, n) => jobOf(tenant, { tenant, name: `piece${n}` }));
    await addJobRows(pool(), jobsOf('importer', 9));
    const order: string[] = [];
    workers(async (job) => {
      order.push(job.tenant);
      if (order.length === 3) await addJobRows(pool(), jobsOf('other', 3));
      await done(job);
    });
    await until(() => order.length === 12, { what: 'all jobs' });
    expect(order.slice(3, 9)).to.deep.equal(['other', 'importer', 'other', 'importer', 'other', 'importer']);
  });

  it('a worker exports the five metrics, with zeros for an empty queue', async () => {
    const options = workOptions(pool());
    const from = performance.now();
    await addJobRows(pool(), [jobOf('waits')]);
    const empty = { slots: 0, run: async () => {}, failed: async () => {} };
    const idle = startWorkers({ ...options, queues: { empty } });
    keep(idle);
    const page = await options.metrics.registry.metrics();
    expect(page)
      .to.match(/vds_work_ready\{queue="q".*\} 1/)
      .and.match(/vds_work_ready\{queue="empty".*\} 0/);
    const age = Number(/vds_work_oldest_ready_seconds\{queue="q".*\} (\S+)/.exec(page)?.[1]);
    expect(age)
      .to.be.above(0)
      .and.below((performance.now() - from) / 1_000);
    for (const name of [
      'vds_work_running',
      'vds_work_oldest_ready_seconds',
      'vds_work_tries_total',
      'vds_work_seconds',
    ])
      expect(page).to.contain(name);
  });

  it('a long backlog is counted up to 10,000 jobs, and its oldest one whatever its rank', async () => {
    await pool().query(
      `INSERT INTO chassis.jobs (stage, queue, video_id, attempt, name, rank, run_after)
       SELECT 's', queue, 'v' || n, 1, queue, -n, now() - n * interval '1 ms'
       FROM generate_series(1, 10500) n, unnest('{long,short}'::text[]) queue WHERE queue = 'long' OR n <= 3`,
    );
    await pool().query(
      `UPDATE chassis.jobs SET run_after = now() - interval '1 day', rank = 1 WHERE name = 'long' AND video_id = 'v77'`,
    );
    const options = workOptions(pool());
    keep(startWorkers({ ...options, queues: {} }));
    const page = await options.metrics.registry.metrics();
    expect(page).to.match(/vds_work_ready\{queue="long".*\} 10000\n/);
    expect(page).to.match(/vds_work_ready\{queue="short".*\} 3\n/);
    expect(page).to.match(/vds_work_oldest_ready_seconds\{queue="long".*\} 864\d\d/);
  });

  it('a postponed job is rescheduled at no cost, together with what its handler wrote', async () => {
    await pool().query('CREATE TABLE kept (word text)');
    await addJobRows(pool(), [jobOf('a')]);
    const fences: number[] = [];
    workers(async (job) => {
      fences.push(job.fence);
      if (job.fence === 2) return done(job);
      return job.postpone(20, async (client) => void (await client.query("INSERT INTO kept VALUES ('x')")));
    });
    await until(async () => (await row('a'))?.state === 'done', { what: 'the second claim' });
    expect(await row('a')).to.include({ tries: 0, fence: 2 });
    expect(fences).to.deep.equal([1, 2]);
    expect((await pool().query('SELECT * FROM kept')).rowCount).to.equal(1);
  });

  it('a job whose failure cannot be reported still ends as failed', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const failed = () => Promise.reject(new Error('a bug'));
    workers(() => Promise.reject(new Error('hopeless')), { maxTries: 1, failed }, { leaseMs: 600, renewMs: 100 });
    await until(async () => (await row('a'))?.state === 'failed', { what: 'the end of the job', capMs: 10_000 });
    expect(await row('a')).to.include({ fence: 1, crashes: 0 });
  });

  it('a job is not retried if its queue gives up', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    workers(() => Promise.reject(new Error('hopeless')), { givesUp: (_error, { tries }) => tries >= 1 });
    await until(() => failures.length === 1, { what: 'the failure' });
    expect(await row('a')).to.include({ state: 'failed', fence: 2 });
  });
});
