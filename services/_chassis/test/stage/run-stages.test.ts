import { expect } from 'chai';
import { AppError } from '../../src/errors.ts';
import { toolFailedTwice } from '../../src/stage/define-stage.ts';
import type { Stages } from '../../src/stage/run-stages.ts';
import { until } from '@vds/testkit/until';
import { requestOf, stageKit, startTestStages, weighStage, type WeighDefinition } from './stage-kit.ts';

describe('the runtime of stages', () => {
  const { pool, take, read, published, facts, jobs } = stageKit();
  let running: Stages[] = [];
  afterEach(async () => {
    await Promise.all(running.map((stages) => stages.close()));
    running = [];
  });

  const start = (
    more: Partial<WeighDefinition> = {},
    queues: Record<string, { slots: number }> = { weigh: { slots: 1 } },
  ) => {
    const stages = startTestStages(pool(), weighStage(more), queues);
    running.push(stages);
    return stages;
  };
  const ended = (state: string) =>
    until(async () => (await read(requestOf()))?.state === state, { what: `the stage is ${state}` });

  it('a job receives its request and its typed payload, and started and completed are published around it', async () => {
    await take(requestOf());
    start({
      jobs: {
        pan: {
          run: (job) =>
            job.complete(async (client) => {
              const grams = job.payload.stones * 10 + job.request.stones;
              await job.stage.complete(client, { grams });
            }),
        },
      },
    });
    await ended('completed');
    expect(await facts()).to.deep.equal(['started', 'completed']);
    expect((await published()).at(-1)?.payload).to.deep.equal({ videoId: 'a', attempt: 1, revision: 0, grams: 33 });
  });

  it('jobs that a job enqueues in the transaction that ends it are run', async () => {
    await take(requestOf());
    start({
      jobs: {
        pan: {
          run: (job) =>
            job.complete(async (client) => {
              if (job.payload.stones === 0) return void (await job.stage.complete(client, { grams: 0 }));
              const stones = job.payload.stones - 1;
              await job.stage.enqueue(client, [{ name: `pan-${stones}`, payload: { kind: 'pan', stones } }]);
            }),
        },
      },
    });
    await ended('completed');
    expect(await jobs()).to.deep.equal(['pan done', 'pan-2 done', 'pan-1 done', 'pan-0 done']);
  });

  it('a job of a kind known only to another version waits for its workers at no cost', async () => {
    await take(requestOf());
    await pool().query(`UPDATE chassis.jobs SET payload = '{"kind": "spring"}'`);
    const older = start();
    const claims = async () => (await pool().query<{ fence: number }>('SELECT fence FROM chassis.jobs')).rows[0]?.fence;
    await until(async () => ((await claims()) ?? 0) > 6, { what: 'the older version has claimed it again and again' });
    const { rows } = await pool().query('SELECT state, tries, crashes FROM chassis.jobs');
    await older.close();
    expect(rows.map(({ tries, crashes }) => ({ tries, crashes }))).to.deep.equal([{ tries: 0, crashes: 0 }]);
    const run = (job: Parameters<WeighDefinition['jobs']['pan']['run']>[0]) =>
      job.complete(async (client) => void (await job.stage.complete(client, { grams: 1 })));
    start({ jobs: { pan: { run }, spring: { run } } as never });
    await ended('completed');
  });

  it('a job that fails permanently fails the stage with the failure that the definition derives from the error', async () => {
    await take(requestOf());
    start({
      jobs: { pan: { run: () => Promise.reject(new AppError('INVALID_ARGUMENT', 'too heavy')) } },
      failure: (error) => ({ code: 'too_heavy', details: { why: (error as Error).message } }),
    });
    await ended('failed');
    const last = (await published()).at(-1);
    expect(last?.subject).to.equal('scales.weigh.failed.v1');
    expect(last?.payload).to.deep.include({ code: 'too_heavy', details: { why: 'too heavy' } });
  });

  it('a stage without a mapping of errors fails with internal_error', async () => {
    await take(requestOf());
    start({ jobs: { pan: { run: () => Promise.reject(new AppError('INVALID_ARGUMENT', 'too heavy')) } } });
    await ended('failed');
    expect((await published()).at(-1)?.payload).to.deep.include({ code: 'internal_error', details: {} });
  });

  it('a definition can give up on a tool that has failed twice', async () => {
    await take(requestOf());
    let tries = 0;
    const failing = () => {
      tries += 1;
      return Promise.reject(new AppError('INTERNAL', 'exit 1', { reason: 'tool_failed' }));
    };
    start({ jobs: { pan: { run: failing } }, givesUp: toolFailedTwice });
    await ended('failed');
    expect(tries).to.equal(2);
  });

  it('a job with its own failure handler leaves the stage open when it fails', async () => {
    await take(requestOf());
    const lost: number[] = [];
    start({
      jobs: {
        pan: {
          run: () => Promise.reject(new AppError('INVALID_ARGUMENT', 'too heavy')),
          failed: async (_client, job) => lost.push(job.payload.stones),
        },
      },
    });
    await until(() => lost.length === 1, { what: 'the lost job' });
    expect(await read(requestOf())).to.include({ state: 'open' });
    expect(lost).to.deep.equal([3]);
  });

  it('jobs of an ended stage run only where its definition sets runsAfterEnd', async () => {
    for (const runsAfterEnd of [false, true]) {
      const key = { attempt: runsAfterEnd ? 2 : 1 };
      await take(requestOf(key));
      await pool().query("UPDATE chassis.stages SET state = 'completed'");
      let ran = 0;
      const stages = start({
        runsAfterEnd,
        jobs: {
          pan: {
            run: (job) => {
              ran += 1;
              return job.complete();
            },
          },
        },
      });
      await until(async () => (await jobs()).every((job) => job.endsWith(' done')), { what: 'the job' });
      await stages.close();
      expect(ran).to.equal(runsAfterEnd ? 1 : 0);
    }
  });

  it('the runtime does not start if the queue of a job has no slots', () => {
    expect(() => start({}, {})).to.throw('no slots are configured for the queue weigh');
  });
});
