import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { addJobRows } from '../../src/work/job-rows.ts';
import { until } from '@vds/testkit/until';
import { jobOf, workKit } from './work-kit.ts';

const script = fileURLToPath(new URL('killed-worker.ts', import.meta.url));
const neighbours = ['one', 'two', 'three'];

describe('a job whose child is killed', () => {
  const { pool, failures, workers } = workKit();

  it('a job whose child is killed every time runs alone from the third try on, and costs the others nothing', async () => {
    const others = Array.from({ length: 30 }, (_, n) => `other${n}`);
    await addJobRows(pool(), [jobOf('bad'), ...others.map((name) => jobOf(name))]);
    let running = 0;
    const beside: number[] = [];
    const run: Parameters<typeof workers>[0] = async (job) => {
      running += 1;
      if (job.videoId === 'bad') beside.push(running - 1);
      try {
        await sleep(100);
        if (job.videoId === 'bad') throw new AppError('INTERNAL', 'ffmpeg was killed', { reason: 'program_killed' });
      } finally {
        running -= 1;
      }
      await job.complete();
    };
    // An idle process takes it at once; others wait for the length of a lease before they make room.
    workers(run, { slots: 3 }, { leaseMs: 500, renewMs: 100 });
    await until(() => failures.length === 1, { what: 'the failure' });
    expect(failures).to.deep.equal(['bad:ffmpeg was killed']);
    expect(beside).to.have.length(4);
    expect(beside.slice(2)).to.deep.equal([0, 0]);
    const done = "SELECT 1 FROM chassis.jobs WHERE state = 'done' AND tries = 0 AND crashes = 0";
    await until(async () => (await pool().query(done)).rowCount === others.length, { what: 'the others' });
  });
});

describe('a job that kills its process', function () {
  this.timeout(60_000);
  const { pool, database } = workKit();
  let child: ChildProcess | undefined;
  let stopped = false;
  afterEach(() => {
    stopped = true;
    child?.kill('SIGKILL');
  });

  /** Starts the process again whenever it was killed, as Kubernetes does. */
  const keepRunning = (): void => {
    if (stopped) return;
    const { url, password } = database();
    child = spawn(process.execPath, [script, url, password], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('exit', keepRunning);
  };

  it('a poison job ends with its own code after two crashes alone, and its three neighbours lose no try', async () => {
    await pool().query('CREATE TABLE runs (name text, began timestamptz, ended timestamptz)');
    await pool().query('CREATE TABLE failed_jobs (name text, reason text)');
    await addJobRows(
      pool(),
      [...neighbours, 'poison'].map((name) => jobOf(name, { name, tenant: name, payload: name })),
    );
    keepRunning();
    const open = "SELECT 1 FROM chassis.jobs WHERE state IN ('ready', 'running')";
    await until(async () => (await pool().query(open)).rowCount === 0, { what: 'all jobs have ended', capMs: 50_000 });
    const { rows } = await pool().query('SELECT name, state, tries, crashes FROM chassis.jobs ORDER BY id');
    expect(rows).to.deep.equal([
      ...neighbours.map((name) => ({ name, state: 'done', tries: 0, crashes: 2 })),
      { name: 'poison', state: 'failed', tries: 0, crashes: 4 },
    ]);
    expect((await pool().query('SELECT * FROM failed_jobs')).rows).to.deep.equal([
      { name: 'poison', reason: 'worker_killed' },
    ]);
    // From its third run on it ran alone.
    const beside = await pool().query(`
      WITH alone AS (SELECT began FROM runs WHERE name = 'poison' ORDER BY began OFFSET 2)
      SELECT 1 FROM alone JOIN runs other ON other.name <> 'poison'
        AND other.began BETWEEN alone.began AND alone.began + interval '300 milliseconds'`);
    expect(beside.rowCount).to.equal(0);
    expect((await pool().query("SELECT 1 FROM runs WHERE name = 'poison'")).rowCount).to.equal(4);
  });
});
