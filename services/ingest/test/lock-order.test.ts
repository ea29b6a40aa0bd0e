import { expect } from 'chai';
import { runs } from '@vds/testkit/counts';
import { countErrors, openDeadlockDatabase } from '@vds/testkit/harness/deadlocks';
import { idleStages } from '@vds/testkit/harness/idle-stages';
import { bindStage } from '@vds/chassis/stage/run-stages';
import { moveOverdueJobs } from '@vds/chassis/stage/stage-rows';
import { events } from '@vds/proto/events';
import { fetchStage, type Deps } from '../src/inbound/fetch-stage.ts';
import { purgeOf } from '../src/outbound/purge.ts';

describe('concurrent transactions on fetches', () => {
  let database: Awaited<ReturnType<typeof openDeadlockDatabase>>;
  let pool: typeof database.pool;

  beforeEach(async () => {
    database = await openDeadlockDatabase('ingest');
    pool = database.pool;
  });
  afterEach(() => database.drop());

  const runtime = () => idleStages(pool, [bindStage(fetchStage, {} as Deps)], purgeOf({} as never));
  const add = (videoId: string, acceptedAtMs: number): Promise<void> =>
    runtime().deliver(events.fetchRequested, {
      ...{ videoId, attempt: 1, publisherId: 'p', sourceHost: 'a', acceptedAtMs },
    });

  it('concurrent moves of overdue fetches never deadlock', async () => {
    const refused: Record<string, number> = {};
    let moved = 0;
    for (let round = 0; round < runs(25); round += 1) {
      const names = Array.from({ length: 60 }, (_one, index) => `w-${round}-${index}`);
      await Promise.all(names.map((name) => add(name, Date.now() - 3_600_000)));
      const sweep = async (): Promise<void> => {
        const n = await moveOverdueJobs(pool, { from: 'fetch', to: 'fetch-overdue', withinMs: 1_000 });
        moved += n;
      };
      const nudge = async (name: string) =>
        pool.query("UPDATE chassis.jobs SET progress = progress + 1 WHERE video_id = $1 AND queue = 'fetch'", [name]);
      await countErrors(
        [...names.slice(0, 20).map(nudge), ...[1, 2, 3, 4].map(sweep), ...names.slice(20).map(nudge)],
        refused,
      );
      await sweep();
    }
    expect({ refused, moved, deadlocks: await database.deadlocks() }).to.deep.equal({
      refused: {},
      moved: 60 * runs(25),
      deadlocks: 0,
    });
  });
});
