import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { openDeadlines, type WorkerState } from '../../src/stage/deadlines.ts';
import { bindStage, startStages, type Stages } from '../../src/stage/run-stages.ts';
import { until } from '@vds/testkit/until';
import { workOptions } from '../work/work-kit.ts';
import { jsonEvent, requestOf, stageKit, weighStage, type WeighDefinition } from './stage-kit.ts';

const TICK_MS = 20;
type Run = WeighDefinition['jobs']['pan']['run'];
type Job = Parameters<Run>[0];

describe('the end of a stage that may not go on', () => {
  let running: Stages[] = [];
  afterEach(async () => {
    await Promise.all(running.map((stages) => stages.close()));
    running = [];
  });
  const { pool, take, read, published, facts, jobs } = stageKit();

  const start = (run: Run, more: Partial<WeighDefinition> = {}, tickMs = TICK_MS) => {
    const stages = startStages({
      ...{ ...workOptions(pool()), renewMs: tickMs, pollMs: 20, retryDelaysMs: [20] },
      ...{ bus: { subscribe: () => {}, watch: () => {} }, relay: { notify: () => {} } },
      stages: [bindStage(weighStage({ jobs: { pan: { run } }, ...more }), null)],
      queues: { weigh: { slots: 1 } },
      ...{ purge: { event: jsonEvent('scales.video.purged.v1'), tables: [] }, purgeSlots: 0, purgeAgainMs: 1 },
    });
    running.push(stages);
  };
  const stateIs = (state: string, more = {}) =>
    until(async () => (await read(requestOf(more)))?.state === state, { what: `the stage is ${state}` });
  const limits = (stallMs: number, budgetMs = 3_600_000) => ({ limits: () => ({ stallMs, budgetMs }) });
  /** Hangs until its lease is lost or the process stops. */
  const hang = (job: Job): Promise<void> =>
    new Promise((_resolve, reject) => job.signal.addEventListener('abort', () => reject(job.signal.reason as Error)));
  const complete = (job: Job): Promise<void> =>
    job.complete(async (client) => void (await job.stage.complete(client, { grams: 1 })));

  it('a stage whose job stands still for its stall time fails, and its job stops', async () => {
    await take(requestOf());
    let stopped = false;
    start((job) => hang(job).finally(() => (stopped = true)), limits(100));
    await stateIs('failed');
    await until(() => stopped, { what: 'the job stops' });
    expect((await published()).at(-1)).to.deep.include({
      subject: 'scales.weigh.failed.v1',
      payload: { videoId: 'a', attempt: 1, revision: 0, code: 'internal_error', details: {} },
    });
    expect(await jobs()).to.deep.equal(['pan cancelled']);
  });

  it('a stage whose job makes progress never stands still, however long it takes', async () => {
    await take(requestOf());
    start(async (job) => {
      for (let step = 1; step <= 20; step++) {
        await pause(25);
        job.progress(step / 100);
      }
      await complete(job);
    }, limits(200));
    await stateIs('completed');
    expect(await facts()).to.deep.equal(['started', 'completed']);
  });

  it('a stage whose other jobs make progress in another process does not stand still', async () => {
    await take(requestOf());
    await pool().query(`INSERT INTO chassis.jobs (stage, queue, video_id, attempt, name, state, lease_until)
      VALUES ('weigh', 'elsewhere', 'a', 1, 'other', 'running', now() + interval '1 hour')`);
    let go = true;
    start(async (job) => {
      while (go) await pause(10);
      await complete(job);
    }, limits(300));
    for (let percent = 1; percent <= 40; percent++) {
      await pool().query(`UPDATE chassis.jobs SET progress = ${percent} WHERE name = 'other'`);
      await pause(25);
    }
    go = false;
    await stateIs('completed');
  });

  it('jobs that wait for a busy slot never fail their stages, however long', async () => {
    const videos = Array.from({ length: 10 }, (_one, index) => ({ videoId: `v${index}` }));
    for (const video of videos) await take(requestOf(video));
    // Each stage waits for up to ten times its stall time and its budget.
    start(
      async (job) => {
        await pause(100);
        await complete(job);
      },
      limits(150, 150),
    );
    for (const video of videos) await stateIs('completed', video);
  });

  it('a stage whose job is ready beside an idle worker that does not claim it fails', async () => {
    await take(requestOf());
    const locked = await pool().connect();
    await locked.query(`BEGIN; SELECT 1 FROM chassis.jobs WHERE video_id = 'a' FOR UPDATE`);
    start(complete, limits(100));
    await stateIs('failed');
    await locked.query('ROLLBACK');
    locked.release();
  });

  it('a stage that waits for its next try, or for a worker at all, does not fail', async () => {
    await take(requestOf());
    await pool().query(`UPDATE chassis.jobs SET run_after = now() + interval '1 hour'`);
    start(complete, limits(1));
    await pause(30 * TICK_MS);
    expect(await read(requestOf())).to.include({ state: 'open' });
    await pool().query(`UPDATE chassis.jobs SET queue = 'of another process', run_after = now()`);
    await pause(30 * TICK_MS);
    expect(await read(requestOf())).to.include({ state: 'open' });
  });

  it('a stage fails when the work of its tries together exceeds its budget, although each makes progress', async () => {
    await take(requestOf());
    let tries = 0;
    start(
      async (job) => {
        tries += 1;
        for (let step = 1; step <= 10; step++) {
          await pause(10);
          job.progress(step);
        }
        await job.postpone(1);
      },
      limits(3_600_000, 1_000),
    );
    await stateIs('failed');
    expect(tries).to.be.greaterThan(1);
  });

  it('a try that fails by a dependency is no work', async () => {
    await take(requestOf());
    let tries = 0;
    start(
      async (job) => {
        tries += 1;
        await pause(100);
        if (tries > 4) return complete(job);
        throw new AppError('UNAVAILABLE', 'the bucket is away');
      },
      limits(3_600_000, 300),
    );
    await stateIs('completed');
    expect((await read(requestOf()))?.workedMs).to.be.lessThan(300);
  });

  it('a stage keeps the work of its tries across processes, and a new request begins anew', async () => {
    await take(requestOf());
    let tries = 0;
    const run: Run = async (job) => {
      if ((tries += 1) > 1) return complete(job);
      await pause(100);
      await job.postpone(1);
    };
    // Two ticks count at most: these are longer than any try on a busy machine.
    start(run, {}, 10_000);
    await stateIs('completed');
    expect((await read(requestOf()))?.workedMs).to.be.greaterThan(90);
    await take(requestOf({ revision: 1 }));
    expect((await read(requestOf()))?.workedMs).to.equal(0);
  });

  it('a definition can end a stage that has passed a limit in its own way', async () => {
    await take(requestOf());
    start(hang, {
      ...limits(100),
      onAbort: async (client, { stage }) => void (await stage.complete(client, { grams: 0 })),
    });
    await stateIs('completed');
    await until(async () => (await jobs()).join() === 'pan cancelled', { what: 'its job is cancelled' });
    expect((await published()).at(-1)?.payload).to.include({ grams: 0 });
  });

  it('a clock of the database that leaps by an hour fails no stage', async () => {
    await take(requestOf());
    let go = false;
    start(
      async (job) => {
        while (!go) await pause(10);
        await complete(job);
      },
      limits(60_000, 60_000),
    );
    await until(async () => (await jobs()).join() === 'pan running', { what: 'the job runs' });
    await pool().query(`UPDATE chassis.stages SET started_at = started_at - interval '1 hour',
      created_at = created_at - interval '1 hour', progressed_at = progressed_at - interval '1 hour'`);
    await pause(10 * TICK_MS);
    go = true;
    await stateIs('completed');
    expect(await facts()).to.deep.equal(['started', 'completed']);
  });

  it('a stage whose queue is paused does not stand still, as what its jobs need is away', async () => {
    await take(requestOf());
    const failed: string[] = [];
    const deadlines = openDeadlines({
      ...{ ...workOptions(pool()), tickMs: TICK_MS, queues: ['weigh'], onEnded: () => {} },
      stages: [bindStage(weighStage(limits(100)), null)],
      abortStage: async (_client, { videoId }) => void failed.push(videoId),
    });
    const checkFor = async (ms: number, worker: WorkerState): Promise<void> => {
      for (let tick = 0; tick < ms / TICK_MS; tick++) {
        await deadlines.check(worker);
        await pause(TICK_MS);
      }
    };
    await checkFor(400, { isIdle: () => true, isPaused: () => true });
    expect(failed, 'a ready job of a paused queue').to.deep.equal([]);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const job = { ...requestOf(), stage: 'weigh', queue: 'weigh', signal: new AbortController().signal };
    const run = deadlines.watch({ ...job, progress: () => {} }, () => ended);
    await checkFor(400, { isIdle: () => false, isPaused: (queue) => queue === 'weigh' });
    expect(failed, 'a running job of a paused queue').to.deep.equal([]);
    await checkFor(400, { isIdle: () => false, isPaused: () => false });
    expect(failed).to.include('a');
    end();
    await run;
  });

  it('a stage without any job left to end it fails when its request is repeated', async () => {
    await take(requestOf());
    await take(requestOf());
    expect(await facts()).to.deep.equal([]);
    await pool().query(`UPDATE chassis.jobs SET state = 'cancelled'`);
    await take(requestOf());
    expect(await facts()).to.deep.equal(['failed']);
  });
});
