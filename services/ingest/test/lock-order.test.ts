/** The end of a fetch, its cancellation, purges and the task that moves overdue fetches, all at the same time. */
import { expect } from 'chai';
import type { StageHandle } from '@vds/chassis/stage/define-stage';
import { runs } from '@vds/testkit/counts';
import { countErrors, openDeadlockDatabase } from '@vds/testkit/harness/deadlocks';
import { idleStages } from '@vds/testkit/harness/idle-stages';
import { bindStage } from '@vds/chassis/stage/run-stages';
import { moveOverdueJobs } from '@vds/chassis/stage/stage-rows';
import { finish, type ClaimedJob } from '@vds/chassis/work/job-rows';
import { claimNext } from '@vds/testkit/harness/claim-next';
import { events, type stageEvents } from '@vds/proto/events';
import { fetchStage, type Deps } from '../src/inbound/fetch-stage.ts';
import { openFetch } from '../src/outbound/fetch-rows.ts';
import { purgeOf } from '../src/outbound/purge.ts';

type Handle = StageHandle<{ kind: 'source' }, typeof stageEvents.fetch>;

describe('concurrent transactions on fetches', () => {
  let database: Awaited<ReturnType<typeof openDeadlockDatabase>>;
  let pool: typeof database.pool;

  beforeEach(async () => {
    database = await openDeadlockDatabase(new URL('..', import.meta.url));
    pool = database.pool;
  });
  afterEach(() => database.drop());

  const runtime = () => idleStages(pool, [bindStage(fetchStage, {} as Deps)], purgeOf({} as never));
  const add = (videoId: string, acceptedAtMs = Date.now()): Promise<void> =>
    runtime().deliver(events.fetchRequested, {
      ...{ videoId, attempt: 1, publisherId: 'p', sourceUrl: 'https://a', acceptedAtMs },
    });
  const take = async (): Promise<{ readonly job: ClaimedJob; readonly stage: Handle }> => {
    const job = (await claimNext(pool, 'fetch'))!;
    await openFetch(pool, job);
    const owner = { videoId: job.videoId, attempt: 1, revision: 0, publisherId: 'p' };
    return { job, stage: runtime().handle<{ kind: 'source' }, typeof stageEvents.fetch>(fetchStage, owner) };
  };

  it('the end of a fetch and its cancellation or purge never deadlock', async () => {
    const refused: Record<string, number> = {};
    for (let round = 0; round < runs(25); round += 1) {
      const names = Array.from({ length: 8 }, (_one, index) => `v-${round}-${index}`);
      for (const name of names) await add(name);
      const taken = [];
      for (const _name of names) taken.push(await take());
      const ends = taken.flatMap(({ job, stage }, index) => {
        const { videoId } = job;
        const result = { sourceKey: 'k', sourceBytes: 1, digest: 'd' };
        const scope = index % 4 === 1 ? 'PURGE_SCOPE_VIDEO' : 'PURGE_SCOPE_OTHER_ATTEMPTS';
        return [
          finish(pool, job, undefined, async (client) => void (await stage.complete(client, result))),
          ...(index % 2 === 0
            ? [1, 2].map(() => runtime().deliver(events.videoCancelled, { videoId }))
            : [runtime().deliver(events.purgeRequested, { videoId, scope, keepAttempt: 2, owners: ['ingest'] })]),
        ];
      });
      await countErrors(ends, refused);
    }
    expect({ refused, deadlocks: await database.deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
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
