/** A fresh database for each test, and workers on its one queue that are stopped after it. */
import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { NewJobRow } from '../../src/work/job-rows.ts';
import type { Job, Queue } from '../../src/work/queue.ts';
import { startWorkers, type WorkerOptions } from '../../src/work/work.ts';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { poolOf, quiet } from '../fixtures.ts';

type Row = { state: string; tries: number; crashes: number; fence: number };
type More = Partial<Omit<WorkerOptions, 'queues'>>;

export function jobOf(videoId: string, more: Partial<NewJobRow> = {}): NewJobRow {
  return {
    stage: 's',
    queue: 'q',
    videoId,
    attempt: 1,
    name: 'j',
    ...more,
  };
}

export function done(job: Job): Promise<void> {
  return job.complete();
}

/** What every worker of the tests has. */
export function workOptions(pool: ReturnType<typeof poolOf>) {
  return { pool, log: quiet, metrics: createMetrics('test'), leaseMs: 60_000, renewMs: 20_000 };
}

/** Registers mocha's hooks; call it inside `describe`. */
export function workKit() {
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;
  const started: ReturnType<typeof startWorkers>[] = [];
  const failures: string[] = [];
  beforeEach(async () => {
    failures.splice(0);
    database = await testDatabase();
    pool = poolOf(database);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((workers) => workers.close()));
    await pool.close();
    await database.drop();
  });
  const keep = (workers: ReturnType<typeof startWorkers>) => {
    started.push(workers);
    return workers;
  };
  const workers = (run: Queue['run'], more: Partial<Queue> = {}, others: More = {}) => {
    const failed: Queue['failed'] = async (_client, job, error) =>
      void failures.push(`${job.videoId}:${(error as Error).message}`);
    const queues = { q: { slots: 1, run, failed, ...more } };
    const usual = { ...workOptions(pool), queues, pollMs: 50, retryDelaysMs: [20] };
    return keep(startWorkers({ ...usual, ...others }));
  };
  const row = async (videoId: string): Promise<Row | undefined> => {
    const text = 'SELECT state, tries, crashes, fence FROM chassis.jobs WHERE video_id = $1';
    return (await pool.query<Row>(text, [videoId])).rows[0];
  };
  return { pool: () => pool, database: () => database, failures, workers, keep, row };
}
