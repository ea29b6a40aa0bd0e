/** Transactions of a worker on the same videos at the same time, of which none may deadlock with another. */
import { expect } from 'chai';
import { purgeQueue, type PurgeDefinition } from '@vds/chassis/stage/purge';
import type { BoundStage } from '@vds/chassis/stage/define-stage';
import type { PoolClient } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { finish, type ClaimedJob } from '@vds/chassis/work/job-rows';
import type { Job } from '@vds/chassis/work/queue';
import { events } from '@vds/proto/events';
import type pg from 'pg';
import { runs } from '../counts.ts';
import { claimNext } from '../harness/claim-next.ts';
import { countErrors, openDeadlockDatabase } from '../harness/deadlocks.ts';
import { idleStages } from '../harness/idle-stages.ts';

type Runtime = ReturnType<typeof idleStages>;
export type LockedStage = {
  /** The service. */
  readonly owner: string;
  readonly stage: BoundStage;
  /** The queue of the job that ends the stage. */
  readonly queue: string;
  readonly purge: Pick<PurgeDefinition, 'event' | 'tables'>;
  readonly request: (runtime: Runtime, videoId: string) => Promise<void>;
  /** Writes what the job writes before it ends. */
  readonly open?: (pool: pg.Pool, job: ClaimedJob) => Promise<unknown>;
  /** Ends the stage in the transaction that ends its job. */
  readonly end: (runtime: Runtime, client: PoolClient, job: ClaimedJob) => Promise<unknown>;
};

const VIDEOS_AT_ONCE = 8;

export function describeLocks(locked: LockedStage): void {
  const { owner, queue, end } = locked;
  describe(`concurrent transactions of ${owner}`, function () {
    this.timeout(60_000);
    let database: Awaited<ReturnType<typeof openDeadlockDatabase>>;
    let pool: typeof database.pool;
    let runtime: Runtime;
    beforeEach(async () => {
      database = await openDeadlockDatabase(owner);
      pool = database.pool;
      runtime = idleStages(pool, [locked.stage], locked.purge);
    });
    afterEach(() => database.drop());

    const request = (videoId: string): Promise<void> => locked.request(runtime, videoId);
    const cancel = (videoId: string): Promise<void> => runtime.deliver(events.videoCancelled, { videoId });
    const requestPurge = (
      videoId: string,
      scope: 'PURGE_SCOPE_OTHER_ATTEMPTS' | 'PURGE_SCOPE_VIDEO' = 'PURGE_SCOPE_OTHER_ATTEMPTS',
    ): Promise<void> => runtime.deliver(events.purgeRequested, { videoId, scope, keepAttempt: 2, owners: [owner] });
    const claimAll = async (name: string): Promise<readonly ClaimedJob[]> => {
      const claimed: ClaimedJob[] = [];
      for (let job = await claimNext(pool, name); job; job = await claimNext(pool, name)) claimed.push(job);
      if (name === queue) for (const job of claimed) await locked.open?.(pool, job);
      return claimed;
    };
    const endJob = (job: ClaimedJob): Promise<void> =>
      finish(pool, job, undefined, async (client) => void (await end(runtime, client, job)));
    const runPurge = (job: ClaimedJob): Promise<void> => {
      const options = {
        ...{ ...locked.purge, pool, log: createLogger('test', 'error'), metrics: createMetrics('test') },
        ...{ cancelled: async () => {}, againMs: 3_600_000 },
      };
      const complete: Job['complete'] = (also) => finish(pool, job, undefined, also);
      return purgeQueue(options, 0).run({ ...job, complete } as Job);
    };
    /** Rounds of new videos; `race` returns what happens at the same time. */
    const expectNoDeadlock = async (race: (videos: readonly string[]) => Promise<readonly Promise<unknown>[]>) => {
      const refused: Record<string, number> = {};
      for (let round = 0; round < runs(25); round += 1) {
        const videos = Array.from({ length: VIDEOS_AT_ONCE }, (_one, index) => `v-${round}-${index}`);
        await countErrors(await race(videos), refused);
        await claimAll('purge');
      }
      expect({ refused, deadlocks: await database.deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    };

    it(`the end of a job of ${owner} never deadlocks with its repeated request, cancellation and purges`, () =>
      expectNoDeadlock(async (videos) => {
        await Promise.all(videos.map(request));
        const jobs = await claimAll(queue);
        expect(jobs).to.have.length(VIDEOS_AT_ONCE);
        const others = videos.flatMap((videoId, index) => [
          request(videoId),
          ...(index % 2 === 0 ? [cancel(videoId), cancel(videoId)] : []),
          ...(index % 4 === 1 ? [requestPurge(videoId, 'PURGE_SCOPE_VIDEO')] : []),
          ...(index % 4 === 3 ? [requestPurge(videoId)] : []),
        ]);
        return [...jobs.map(endJob), ...others];
      }));

    it(`the end of a job of ${owner} that was requested after its purge never deadlocks with the purge`, () =>
      expectNoDeadlock(async (videos) => {
        await Promise.all(videos.map((videoId) => requestPurge(videoId)));
        await Promise.all(videos.map(request));
        const [jobs, purges] = [await claimAll(queue), await claimAll('purge')];
        expect([jobs.length, purges.length]).to.deep.equal([VIDEOS_AT_ONCE, VIDEOS_AT_ONCE]);
        return [...jobs.map(endJob), ...purges.map(runPurge)];
      }));
  });
}
