import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { addJobRows, cancelJobs } from '../../src/work/job-rows.ts';
import { lasts, until } from '@vds/testkit/until';
import { done, jobOf, workKit } from './work-kit.ts';

describe('leases of jobs', () => {
  const { pool, failures, workers, row } = workKit();

  it('a worker that stops releases its running job at no cost, and another process claims it', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const first = workers((job) => sleep(60_000, undefined, { signal: job.signal }));
    await until(async () => (await row('a'))?.state === 'running', { what: 'the claim' });
    await first.close();
    expect(await row('a')).to.include({ state: 'ready', tries: 0 });
    workers(done);
    await until(async () => (await row('a'))?.state === 'done', { what: 'the second process' });
    expect(await row('a')).to.include({ fence: 2, tries: 0, crashes: 0 });
  });

  it('a worker releases a job that it claims while it stops', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const blocker = await pool().connect();
    await blocker.query('BEGIN; LOCK TABLE chassis.jobs IN ACCESS EXCLUSIVE MODE');
    let ran = 0;
    const stopped = workers(async (job) => {
      ran += 1;
      await done(job);
    });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    // Not on the blocker: within one transaction PostgreSQL caches the activity of the first query.
    await until(async () => (await pool().query(waiting)).rowCount, { what: 'the claim waits for the table' });
    const closed = stopped.close();
    await blocker.query('COMMIT');
    blocker.release();
    await closed;
    expect(ran).to.equal(0);
    expect(await row('a')).to.include({ state: 'ready', tries: 0 });
  });

  it('the result of a worker whose lease has expired is rejected', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const late = Promise.withResolvers<unknown>();
    workers(async (job) => {
      await pool().query("UPDATE chassis.jobs SET lease_until = now() - interval '1 second'");
      workers(done, {}, { leaseMs: 60_000, renewMs: 100 });
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

  it('the lease of a long job is renewed', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    workers(
      async (job) => {
        await lasts(3_000);
        await done(job);
      },
      {},
      { leaseMs: 1_500, renewMs: 100 },
    );
    workers(done, {}, { leaseMs: 1_500, renewMs: 100 });
    await until(async () => (await row('a'))?.state === 'done', { what: 'the job' });
    expect(await row('a')).to.include({ fence: 1 });
  });

  it('a handler is not aborted for lack of a lease after the end of its job', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const after = Promise.withResolvers<boolean>();
    workers(
      async (job) => {
        await done(job);
        await sleep(200);
        after.resolve(job.signal.aborted);
      },
      {},
      { leaseMs: 10_000, renewMs: 20 },
    );
    expect(await after.promise).to.equal(false);
  });

  const expireLeases = () =>
    pool().query("UPDATE chassis.jobs SET lease_until = now() - interval '1 second' WHERE state = 'running'");

  it('a process suspended for longer than a lease does not mistake its own running job for a lost one', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const go = Promise.withResolvers<void>();
    workers(
      async (job) => {
        await go.promise;
        await done(job);
      },
      { slots: 2 },
      { leaseMs: 2_000, renewMs: 200 },
    );
    await until(async () => (await row('a'))?.state === 'running', { what: 'the claim' });
    // The other slot polls between two renewals.
    for (let turn = 0; turn < 50; turn++) {
      await expireLeases();
      await sleep(20);
    }
    go.resolve();
    await until(async () => (await row('a'))?.state === 'done', { what: 'the job' });
    expect(await row('a')).to.include({ fence: 1, tries: 0, crashes: 0 });
  });

  it('a process that has just started leaves expired leases for one renewal to holders who could not reach the database', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const go = Promise.withResolvers<void>();
    workers(async (job) => {
      await go.promise;
      await done(job);
    });
    await until(async () => (await row('a'))?.state === 'running', { what: 'the claim' });
    await expireLeases();
    workers(done, {}, { leaseMs: 20_000, renewMs: 10_000 });
    await sleep(250); // it polls five times
    go.resolve();
    await until(async () => (await row('a'))?.state === 'done', { what: 'the job' });
    expect(await row('a')).to.include({ fence: 1, crashes: 0 });
  });

  it('a job that returns to a process before its lost try has ended still counts as running', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const metrics = createMetrics('test');
    const [lost, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = async (job: Parameters<typeof done>[0]): Promise<void> => {
      if (job.fence > 1) return go.promise.then(() => done(job));
      await sleep(60_000, undefined, { signal: job.signal }).finally(lost.resolve);
    };
    workers(run, { slots: 2 }, { leaseMs: 2_000, renewMs: 500, metrics });
    await until(async () => (await row('a'))?.state === 'running', { what: 'the claim' });
    await pool().query("UPDATE chassis.jobs SET state = 'ready', lease_until = NULL");
    await lost.promise;
    await until(async () => (await row('a'))?.fence === 2, { what: 'the second try' });
    await sleep(100); // the lost one ends
    expect(await metrics.registry.metrics()).to.match(/vds_work_running(?:\{.*\})? 1\n/);
    go.resolve();
    await until(async () => (await row('a'))?.state === 'done', { what: 'the job' });
  });

  it('workers do not start if a lease would be renewed too late', () => {
    expect(() => workers(done, {}, { leaseMs: 10_000, renewMs: 6_000 })).to.throw('renewMs');
  });

  it('a cancelled job is aborted, in this process and in others', async () => {
    await addJobRows(pool(), [jobOf('a')]);
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
    expect(await cancelJobs(pool(), 'a')).to.equal(1);
    await until(() => reasons.length === 1, { what: 'the abort' });
    expect(await row('a')).to.include({ state: 'cancelled' });
    expect(failures).to.deep.equal([]);
  });
});
