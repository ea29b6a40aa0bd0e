import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../../src/errors.ts';
import type { Check } from '../../src/process/health.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { addJobRows } from '../../src/work/job-rows.ts';
import { startWorkers } from '../../src/work/work.ts';
import { readServers } from '@vds/testkit/servers/servers-file';
import { lasts, until } from '@vds/testkit/until';
import { done, jobOf, workKit, workOptions } from './work-kit.ts';

describe('dependencies of jobs', () => {
  const { pool, failures, workers, keep, row } = workKit();
  const states = async () =>
    (await pool().query<{ state: string }>('SELECT DISTINCT state, tries, crashes FROM chassis.jobs ORDER BY state'))
      .rows;

  it('while a dependency is unavailable the queue is paused, nothing is lost, and it resumes by itself', async () => {
    await addJobRows(
      pool(),
      Array.from({ length: 60 }, (_, n) => jobOf(`v${n}`)),
    );
    const metrics = createMetrics('test');
    const checks = new Map<string, Check>();
    let isDown = true;
    let runs = 0;
    const run = async (job: Parameters<typeof done>[0]): Promise<void> => {
      runs += 1;
      if (isDown) throw new AppError('UNAVAILABLE', 'object storage: connect ECONNREFUSED');
      await done(job);
    };
    const failed = async (): Promise<void> => void failures.push('failed');
    keep(
      startWorkers({
        ...{ ...workOptions(pool()), metrics, pollMs: 20, retryDelaysMs: [20], breakerPauseMs: 50 },
        health: { add: (name, check) => void checks.set(name, check) },
        queues: { q: { slots: 4, run, failed }, idle: { slots: 1, run, failed } },
      }),
    );
    const ready = async (): Promise<string> => (await checks.get('work')!().catch(String)) as string;
    await until(async () => (await ready()) !== undefined, { what: 'readiness reports it' });
    expect(await ready()).to.equal('Error: a dependency is unavailable: paused q');
    expect(await metrics.registry.metrics())
      .to.match(/vds_work_breaker_open\{queue="q".*\} 1/)
      .and.match(/vds_work_breaker_open\{queue="idle".*\} 0/);
    await lasts(500);
    // Without a pause four slots would have run each of the 60 jobs many times.
    expect(runs).to.be.lessThan(40);
    const changed = "SELECT 1 FROM chassis.jobs WHERE tries > 0 OR crashes > 0 OR state NOT IN ('ready', 'running')";
    expect((await pool().query(changed)).rowCount).to.equal(0);
    isDown = false;
    await until(async () => (await states())[0]?.state === 'done' && (await states()).length === 1, { what: 'all' });
    expect(await states()).to.deep.equal([{ state: 'done', tries: 0, crashes: 0 }]);
    expect(await ready()).to.equal(undefined);
    expect(failures).to.deep.equal([]);
  });

  it('a long probe does not keep the others waiting once the dependency is back', async () => {
    await addJobRows(
      pool(),
      Array.from({ length: 8 }, (_, n) => jobOf(`v${n}`)),
    );
    const metrics = createMetrics('test');
    const { promise: longJobEnds, resolve: endLongJob } = Promise.withResolvers<void>();
    let isDown = true;
    let long: string | undefined;
    const run = async (job: Parameters<typeof done>[0]): Promise<void> => {
      if (isDown) throw new AppError('UNAVAILABLE', 'away');
      long ??= job.videoId;
      if (long === job.videoId) await longJobEnds;
      await done(job);
    };
    workers(run, { slots: 4 }, { breakerPauseMs: 50, metrics });
    const isPaused = async () => /vds_work_breaker_open\{queue="q".*\} 1/.test(await metrics.registry.metrics());
    await until(isPaused, { what: 'the pause' });
    isDown = false;
    const ended = "SELECT 1 FROM chassis.jobs WHERE state = 'done'";
    try {
      await until(async () => (await pool().query(ended)).rowCount === 7, { what: 'the others', capMs: 10_000 });
    } finally {
      endLongJob();
    }
    expect(failures).to.deep.equal([]);
  });

  it('a queue paused by a dependency of some jobs resumes as soon as there are others', async () => {
    await addJobRows(
      pool(),
      ['a', 'b', 'c', 'd'].map((id) => jobOf(`away-${id}`)),
    );
    const metrics = createMetrics('test');
    const run = async (job: Parameters<typeof done>[0]): Promise<void> => {
      if (job.videoId.startsWith('away')) throw new AppError('UNAVAILABLE', 'no connection');
      await done(job);
    };
    workers(run, {}, { breakerPauseMs: 20, metrics });
    const isPaused = async () => /vds_work_breaker_open\{queue="q".*\} 1/.test(await metrics.registry.metrics());
    await until(isPaused, { what: 'the pause' });
    await addJobRows(pool(), [jobOf('other')]);
    await until(async () => (await row('other'))?.state === 'done', { what: 'the other job', capMs: 10_000 });
    expect(await row('away-a')).to.include({ tries: 0, crashes: 0 });
  });

  it('a missing object is tried for a while without stopping the others, and then fails only its job', async () => {
    await addJobRows(
      pool(),
      ['a', 'b', 'c', 'd'].map((id) => jobOf(`missing-${id}`)),
    );
    const metrics = createMetrics('test');
    const run = async (job: Parameters<typeof done>[0]): Promise<void> => {
      if (job.videoId.startsWith('missing')) throw new AppError('NOT_FOUND', 'object does not exist');
      await done(job);
    };
    workers(run, { slots: 2 }, { missingLimitMs: 3_000, metrics });
    await sleep(250);
    expect(await metrics.registry.metrics()).to.match(/vds_work_breaker_open\{queue="q".*\} 0/);
    await addJobRows(pool(), [jobOf('other')]);
    await until(async () => (await row('other'))?.state === 'done', { what: 'the other job' });
    await until(() => failures.length === 4, { what: 'the failures' });
    expect(failures).to.include('missing-a:object does not exist');
    expect((await row('missing-a'))?.fence).to.be.greaterThan(5);
    expect(await row('missing-a')).to.include({ state: 'failed', tries: 0 });
  });

  it('a queue pauses, and no job fails, if children of three videos in a row are killed: the machine is at fault', async () => {
    await addJobRows(
      pool(),
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => jobOf(id)),
    );
    let isShort = true;
    const run = async (job: Parameters<typeof done>[0]): Promise<void> => {
      if (isShort) throw new AppError('INTERNAL', 'ffmpeg was killed', { reason: 'program_killed' });
      await done(job);
    };
    const metrics = createMetrics('test');
    workers(run, {}, { breakerPauseMs: 20, metrics });
    const isPaused = async () => /vds_work_breaker_open\{queue="q".*\} 1/.test(await metrics.registry.metrics());
    await until(isPaused, { what: 'the pause' });
    await sleep(250);
    isShort = false;
    await until(async () => (await states()).every(({ state }) => state === 'done'), { what: 'all jobs' });
    expect(failures).to.deep.equal([]);
  });

  it('a job whose dependency stays unavailable for the whole limit fails', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    workers(() => Promise.reject(new AppError('PERMISSION_DENIED', 'no access')), {}, { dependencyLimitMs: 500 });
    await until(() => failures.length === 1, { what: 'the failure' });
    expect(await row('a')).to.include({ state: 'failed', tries: 0 });
  });

  it('dependency failures between two defects are not counted, and keep the first one’s reason', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const seen: (string | null)[] = [];
    const errors = [
      new AppError('INTERNAL', 'exit 1', { reason: 'tool_failed' }),
      new AppError('UNAVAILABLE', 'away'),
      new Error('bug'),
      new AppError('UNAVAILABLE', 'away'),
    ];
    workers(async (job) => {
      seen.push(job.lastFailure);
      const error = errors.shift();
      if (error) throw error;
      await done(job);
    });
    await until(async () => (await row('a'))?.state === 'done', { what: 'the job' });
    expect(seen).to.deep.equal([null, 'tool_failed', 'tool_failed', null, null]);
    expect(await row('a')).to.include({ tries: 2, fence: 5 });
  });

  it('a job that ends while the database is unavailable is ended once it is back, at no cost', async () => {
    await addJobRows(pool(), [jobOf('a')]);
    const ran: number[] = [];
    const name = (await pool().query<{ name: string }>('SELECT current_database() AS name')).rows[0]?.name ?? '';
    const { host, port, adminUser: user, adminPassword: password } = readServers().postgres;
    const elsewhere = new pg.Client({ host, port, user, password, database: 'postgres' });
    await elsewhere.connect();
    const run = async (job: Parameters<typeof done>[0]): Promise<void> => {
      ran.push(job.fence);
      if (job.fence > 1) return done(job);
      await elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await elsewhere.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      setTimeout(() => void elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`), 2_000);
      throw new AppError('UNAVAILABLE', 'away');
    };
    workers(run, { slots: 2 }, { leaseMs: 1_000, renewMs: 300 });
    await until(() => ran.length === 2, { what: 'the second try' });
    await until(async () => (await row('a'))?.state === 'done', { what: 'the job' });
    await elsewhere.end();
    expect(await row('a')).to.include({ tries: 0, crashes: 0 });
  });
});
