/** When a stage fails by itself: stalled tries, and work beyond its budget. */
import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import type { Stages } from '../../src/stage/run-stages.ts';
import { createStallTimer } from '../../src/work/stall-timer.ts';
import { until } from '@vds/testkit/until';
import { requestOf, stageKit, startTestStages, weighStage, type WeighDefinition } from './stage-kit.ts';

type Run = WeighDefinition['jobs']['pan']['run'];
type Job = Parameters<Run>[0];

describe('the limits of a stage', () => {
  let running: Stages[] = [];
  afterEach(async () => {
    await Promise.all(running.map((stages) => stages.close()));
    running = [];
  });
  const { pool, take, read, published, facts, jobs } = stageKit();

  const start = (run: Run, more: Partial<WeighDefinition> = {}): void =>
    void running.push(startTestStages(pool(), weighStage({ jobs: { pan: { run } }, ...more })));
  const stateIs = (state: string, more = {}) =>
    until(async () => (await read(requestOf(more)))?.state === state, { what: `the stage is ${state}` });
  const limits = (stallMs: number, budgetMs = 3_600_000) => ({ limits: () => ({ stallMs, budgetMs }) });
  const complete = (job: Job): Promise<void> =>
    job.complete(async (client) => void (await job.stage.complete(client, { grams: 1 })));

  it('a stage whose job stalls twice in a row fails, and a job that ignores its signal does not keep its slot', async () => {
    await take(requestOf());
    let tries = 0;
    start(() => {
      tries += 1;
      return new Promise(() => {});
    }, limits(60));
    await stateIs('failed');
    expect(tries).to.equal(2);
    expect((await published()).at(-1)).to.deep.include({
      subject: 'scales.weigh.failed.v1',
      payload: { videoId: 'a', attempt: 1, revision: 0, code: 'internal_error', details: {} },
    });
    await take(requestOf({ videoId: 'b' }));
    await until(() => tries === 3, { what: 'the slot takes the next job' });
  });

  it('a job that stalls once is retried', async () => {
    await take(requestOf());
    let aborted = false;
    let tries = 0;
    start(async (job) => {
      if ((tries += 1) > 1) return complete(job);
      job.signal.addEventListener('abort', () => (aborted = true));
      await new Promise(() => {});
    }, limits(500));
    await stateIs('completed');
    expect(aborted, 'the signal of the first try').to.equal(true);
  });

  it('a stage whose job makes progress, its own or the stage’s, never stalls, however long it takes', async () => {
    await take(requestOf());
    start(async (job) => {
      for (let step = 1; step <= 40; step++) {
        await pause(10);
        if (step % 2 === 0) job.progress(step / 100);
        else await job.stage.progress(step / 100);
      }
      await complete(job);
    }, limits(200));
    await stateIs('completed');
    expect(await facts()).to.deep.equal(['started', 'completed']);
  });

  it('jobs that wait for a busy slot never fail their stages, however long', async () => {
    const videos = Array.from({ length: 16 }, (_one, index) => ({ videoId: `v${index}` }));
    for (const video of videos) await take(requestOf(video));
    // Each stage waits for several times its stall time and its budget.
    start(
      async (job) => {
        await pause(150);
        await complete(job);
      },
      limits(600, 600),
    );
    for (const video of videos) await stateIs('completed', video);
  });

  it('a stage fails when the work of its tries together exceeds its budget, although each makes progress', async () => {
    await take(requestOf());
    let tries = 0;
    start(
      async (job) => {
        tries += 1;
        for (let step = 1; step <= 10; step++) {
          await pause(5);
          job.progress(step);
        }
        await job.postpone(1);
      },
      limits(3_600_000, 1_000),
    );
    await stateIs('failed');
    expect(tries).to.be.greaterThan(1);
    expect((await published()).at(-1)?.payload).to.include({ code: 'internal_error' });
  });

  it('a try that fails by a dependency does not count as work', async () => {
    await take(requestOf());
    let tries = 0;
    start(
      async (job) => {
        tries += 1;
        if (tries > 5) return complete(job);
        await pause(250);
        throw new AppError('UNAVAILABLE', 'the bucket is unavailable');
      },
      limits(3_600_000, 1_000),
    );
    await stateIs('completed');
    expect((await read(requestOf()))?.workedMs).to.be.lessThan(1_000);
  });

  it('a stage keeps the work of its tries, and a new request starts from zero', async () => {
    await take(requestOf());
    let tries = 0;
    const run: Run = async (job) => {
      if ((tries += 1) > 1) return complete(job);
      await pause(100);
      await job.postpone(1);
    };
    start(run);
    await stateIs('completed');
    expect((await read(requestOf()))?.workedMs).to.be.greaterThan(90);
    await take(requestOf({ revision: 1 }));
    expect((await read(requestOf()))?.workedMs).to.equal(0);
  });

  it('a definition can end a stage that is over its budget in its own way', async () => {
    await take(requestOf());
    start(
      async (job) => {
        await pause(20);
        await job.postpone(1);
      },
      {
        ...limits(3_600_000, 10),
        onAbort: async (client, { stage }) => void (await stage.complete(client, { grams: 0 })),
      },
    );
    await stateIs('completed');
    expect(await jobs()).to.deep.equal(['pan done']);
    expect((await published()).at(-1)?.payload).to.include({ grams: 0 });
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

describe('the stall timer', () => {
  it('time while the queue is paused does not count', async () => {
    let isPaused = true;
    let fired = false;
    const timer = createStallTimer({ isPaused: () => isPaused, onStall: () => (fired = true) });
    timer.start(40);
    await pause(200);
    expect(fired).to.equal(false);
    isPaused = false;
    await until(() => fired, { what: 'the stall' });
  });
});
