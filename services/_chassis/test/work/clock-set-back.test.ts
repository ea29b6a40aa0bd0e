/** After the clock of the database was set back an hour, nothing that waits by it waits an hour longer. */
import { expect } from 'chai';
import { claimNext } from '@vds/testkit/harness/claim-next';
import { until } from '@vds/testkit/until';
import { bindStage, startStages } from '../../src/stage/run-stages.ts';
import { addJobRows, renew } from '../../src/work/job-rows.ts';
import { restartWaits } from '../../src/work/restart-waits.ts';
import { jsonEvent, requestOf, stageKit, weighStage } from '../stage/stage-kit.ts';
import { takeClock } from './movable-clock.ts';
import { jobOf, workKit, workOptions } from './work-kit.ts';

describe('jobs after the database’s clock was set back', () => {
  const { pool, database, row } = workKit();

  it('a job that is ready is claimed at once, and one with a pause after its pause', async () => {
    const clock = await takeClock(database());
    await addJobRows(pool(), [jobOf('ready'), jobOf('pausing', { delayMs: 600_000 })]);
    await clock.setBackAnHour();
    expect(await restartWaits(pool())).to.equal(2);
    expect(await claimNext(pool(), 'q')).to.include({ videoId: 'ready', crashes: 0 });
    expect(await claimNext(pool(), 'q')).to.equal(undefined);
    const { rows } = await pool().query<{ seconds: number }>(
      `SELECT extract(epoch FROM run_after - now())::float8 AS seconds FROM chassis.jobs WHERE video_id = 'pausing'`,
    );
    expect(rows[0]?.seconds).to.be.within(500, 600);
    expect(await restartWaits(pool())).to.equal(0);
  });

  it('the lease of a worker that is gone expires after its time, and a worker that is alive keeps its job', async () => {
    const clock = await takeClock(database());
    await addJobRows(pool(), [jobOf('gone'), jobOf('alive')]);
    const [gone, alive] = [await claimNext(pool(), 'q', { leaseMs: 1_000 }), await claimNext(pool(), 'q')];
    expect([gone?.videoId, alive?.videoId]).to.deep.equal(['gone', 'alive']);
    await clock.setBackAnHour();
    expect(await restartWaits(pool())).to.equal(2);
    expect(await claimNext(pool(), 'q')).to.equal(undefined);
    expect(await renew(pool(), alive!, 60_000, 0)).to.equal(true);
    const again = await until(() => claimNext(pool(), 'q'), { what: 'the claim of the lost job' });
    expect(again).to.include({ videoId: 'gone', fence: 2 });
    expect(await row('alive')).to.include({ state: 'running', fence: 1, crashes: 0 });
  });
});

describe('stages after the database’s clock was set back', () => {
  const { pool, database, take, read } = stageKit();

  it('a stage whose job waits for a retry is completed without waiting an hour longer', async () => {
    const clock = await takeClock(database());
    await take(requestOf());
    let runs = 0;
    const failed = Promise.withResolvers<void>();
    const stages = startStages({
      ...{ ...workOptions(pool()), leaseMs: 400, renewMs: 100, pollMs: 20, retryDelaysMs: [1_000] },
      ...{ bus: { subscribe: () => {}, watch: () => {} }, relay: { notify: () => {} } },
      stages: [
        bindStage(
          weighStage({
            jobs: {
              pan: {
                run: async (job) => {
                  runs += 1;
                  if (runs > 1)
                    return job.complete(async (client) => void (await job.stage.complete(client, { grams: 1 })));
                  setTimeout(failed.resolve, 200);
                  throw new Error('a defect');
                },
              },
            },
          }),
          null,
        ),
      ],
      queues: { weigh: { slots: 1 } },
      ...{ purge: { event: jsonEvent('scales.video.purged.v1'), tables: [] }, purgeSlots: 0, purgeAgainMs: 1 },
    });
    await failed.promise;
    await clock.setBackAnHour();
    await until(async () => (await read(requestOf()))?.state === 'completed', { what: 'the stage is completed' });
    expect(runs).to.equal(2);
    await stages.close();
  });
});
