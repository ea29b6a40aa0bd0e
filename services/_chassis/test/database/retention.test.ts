import { expect } from 'chai';
import { runExclusively, tryAcquire } from '../../src/database/leader-lock.ts';
import { chassisRetention, pruneTables, startRetention, type Retention } from '../../src/database/retention.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { until } from '@vds/testkit/until';
import { stageKit } from '../stage/stage-kit.ts';

const DAY = 86_400_000;
const retention = chassisRetention({ jobsKeepMs: 7 * DAY, tombstonesKeepMs: 90 * DAY });

describe('retention', () => {
  const { pool } = stageKit();
  const { signal } = new AbortController();
  const prune = async (rules: Retention = retention) => [...(await pruneTables(pool(), rules, signal)).removed];
  const addJob = (videoId: string, state: string, daysAgo: number) =>
    pool().query(
      `INSERT INTO chassis.jobs (stage, queue, video_id, attempt, name, state, finished_at)
       VALUES ('weigh', 'weigh', $1, 1, 'pan', $2, CASE WHEN $2 = 'ready' THEN NULL ELSE now() - $3 * interval '1 day' END)`,
      [videoId, state, daysAgo],
    );
  const column = async (text: string): Promise<unknown[]> =>
    (await pool().query<{ v: unknown }>(text)).rows.map(({ v }) => v);

  it('jobs that ended long ago are removed, unfinished ones and those of open stages are not', async () => {
    await addJob('done', 'done', 8);
    await addJob('failed', 'failed', 8);
    await addJob('cancelled', 'cancelled', 8);
    await addJob('recent', 'done', 6);
    await addJob('unfinished', 'ready', 8);
    await addJob('open', 'done', 8);
    await addJob('ended', 'done', 8);
    await pool().query(`INSERT INTO chassis.stages (stage, video_id, attempt, state)
      VALUES ('weigh', 'open', 1, 'open'), ('weigh', 'ended', 1, 'completed')`);
    expect(await prune()).to.deep.equal([['chassis.jobs', 4]]);
    expect(await column('SELECT video_id AS v FROM chassis.jobs ORDER BY 1')).to.deep.equal([
      'open',
      'recent',
      'unfinished',
    ]);
    expect(await column('SELECT count(*) AS v FROM chassis.stages')).to.deep.equal([2]);
  });

  it('a tombstone is kept for its time, and thousands of rows are removed in one run', async () => {
    await pool().query(`INSERT INTO chassis.tombstones (video_id, created_at)
      SELECT n, now() - interval '91 days' FROM generate_series(1, 2500) AS n`);
    await pool().query(
      `INSERT INTO chassis.tombstones (video_id, created_at) VALUES ('kept', now() - interval '89 days')`,
    );
    expect(await prune()).to.deep.equal([['chassis.tombstones', 2_500]]);
    expect(await column('SELECT video_id AS v FROM chassis.tombstones')).to.deep.equal(['kept']);
  });

  it('a row that another transaction has locked is left for the next run', async () => {
    await addJob('locked', 'done', 8);
    await addJob('free', 'done', 8);
    const client = await pool().connect();
    await client.query('BEGIN');
    await client.query(`SELECT 1 FROM chassis.jobs WHERE video_id = 'locked' FOR UPDATE`);
    expect(await prune()).to.deep.equal([['chassis.jobs', 1]]);
    await client.query('COMMIT');
    client.release();
    expect(await prune()).to.deep.equal([['chassis.jobs', 1]]);
  });

  it('a table that cannot be pruned blocks no other, and is reported until it can be', async () => {
    await addJob('done', 'done', 8);
    const metrics = createMetrics('test');
    const failing = async (): Promise<number> =>
      Number(/^vds_task_failing_seconds{task="prune-tables"\S* (\S+)/m.exec(await metrics.registry.metrics())?.[1]);
    const lines: string[] = [];
    const log = createLogger('test', 'warn', { write: (line: string) => void lines.push(line) });
    const weights = { keepMs: DAY, expired: (before: string) => `weighed_at < ${before}` };
    const config = { jobsKeepMs: 7 * DAY, tombstonesKeepMs: 90 * DAY, retentionEveryMs: 50 };
    const started = startRetention({ config, log, metrics }, pool(), { weights });
    try {
      await until(async () => (await failing()) > 0, { what: 'it fails, and fails again' });
      expect(await column('SELECT video_id AS v FROM chassis.jobs')).to.deep.equal([]);
      expect(lines.join())
        .to.match(/prune-tables/)
        .and.match(/weights: /);
      await pool().query(`CREATE TABLE weights (weighed_at timestamptz);
        INSERT INTO weights VALUES (now() - interval '2 days'), (now())`);
      await until(async () => (await failing()) === 0, { what: 'it succeeds' });
      expect(await column('SELECT count(*) AS v FROM weights')).to.deep.equal([1]);
    } finally {
      await started.close();
    }
  });

  it('a failed run releases the lock of its task, and a successful one keeps it', async () => {
    let runs = 0;
    const run = (fails: boolean) =>
      runExclusively(pool(), 'task', 60_000, async () => {
        runs += 1;
        if (fails) throw new Error('unavailable');
      }).then(
        () => 'done',
        (error: Error) => error.message,
      );
    expect([await run(true), await run(true), await run(false), await run(true)]).to.deep.equal([
      'unavailable',
      'unavailable',
      'done',
      'done',
    ]);
    expect(runs).to.equal(3);
  });

  it('one of several replicas takes the lock of a task, again once it has expired, and at once after a clock was set back', async () => {
    const take = (gapMs: number): Promise<boolean> => tryAcquire(pool(), 'task', gapMs);
    const first = await Promise.all([take(60_000), take(60_000), take(60_000)]);
    expect(first.filter(Boolean)).to.have.lengthOf(1);
    await until(() => take(10), { what: 'the time is over', everyMs: 5 });
    await pool().query(`UPDATE chassis.leader_locks SET acquired_at = now() + interval '1 hour'`);
    expect(await take(60_000)).to.equal(true);
    expect(await tryAcquire(pool(), 'other', 60_000)).to.equal(true);
  });
});
