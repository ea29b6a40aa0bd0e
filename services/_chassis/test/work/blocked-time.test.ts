/** What counts as waiting for a dependency or a missing object, and what does not. */
import { expect } from 'chai';
import { AppError } from '../../src/errors.ts';
import { addJobRows } from '../../src/work/job-rows.ts';
import type { Job } from '../../src/work/queue.ts';
import { until } from '@vds/testkit/until';
import { takeClock } from './movable-clock.ts';
import { done, jobOf, workKit } from './work-kit.ts';

describe('the time that a job is blocked', () => {
  const { pool, database, failures, workers, row } = workKit();
  let runs = 0;
  let isBlocked = true;
  beforeEach(() => void ([runs, isBlocked] = [0, true]));

  /** Jobs named `missing…` lack an object, the others a dependency. */
  const run = async (job: Job): Promise<void> => {
    runs += 1;
    if (!isBlocked) return done(job);
    throw job.videoId.startsWith('missing')
      ? new AppError('NOT_FOUND', 'object does not exist')
      : new AppError('UNAVAILABLE', 'no connection');
  };
  const moreRuns = async (): Promise<void> => {
    const before = runs;
    await until(() => runs >= before + 4, { what: 'further tries' });
  };
  const doneAgain = async (ids: readonly string[]): Promise<void> => {
    isBlocked = false;
    for (const id of ids) await until(async () => (await row(id))?.state === 'done', { what: `the end of ${id}` });
    expect(failures).to.deep.equal([]);
  };

  it('a clock that is set forward an hour does not end the wait for a missing object', async () => {
    const clock = await takeClock(database());
    await addJobRows(pool(), [jobOf('missing')]);
    workers(run);
    await until(() => runs >= 2, { what: 'two tries' });
    await clock.setForwardAnHour();
    await moreRuns();
    await doneAgain(['missing']);
  });

  it('days in the backlog between two failures do not count as days without the dependency or the object', async () => {
    const ids = ['missing', 'away'];
    await addJobRows(
      pool(),
      ids.map((id) => jobOf(id)),
    );
    const before = workers(run);
    await until(() => runs >= 4, { what: 'two tries of each' });
    await before.close();
    // After two days behind the jobs of others their rows look like this.
    await pool().query(`UPDATE chassis.jobs SET run_after = run_after - interval '2 days',
      blocked_since = blocked_since - interval '2 days'`);
    workers(run);
    await moreRuns();
    await doneAgain(ids);
  });

  it('jobs that wait because their queue is paused fail when its dependency has been unavailable for the limit', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    await addJobRows(
      pool(),
      ids.map((id) => jobOf(id)),
    );
    // One of the six is tried every 200 ms: their own pauses and tries would reach the limit in a minute.
    workers(run, {}, { breakerPauseMs: 50, dependencyLimitMs: 1_000 });
    await until(() => failures.length === ids.length, { what: 'their failures', capMs: 15_000 });
  });
});
