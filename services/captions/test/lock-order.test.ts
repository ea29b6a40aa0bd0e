/** The end of jobs, purges, cancellations and repeated requests of the same videos, all at the same time. */
import { expect } from 'chai';
import { bindStage } from '@vds/chassis/stage/run-stages';
import { purgeQueue, type PurgeDefinition } from '@vds/chassis/stage/purge';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { finish, type ClaimedJob } from '@vds/chassis/work/job-rows';
import type { Job } from '@vds/chassis/work/queue';
import { events } from '@vds/proto/events';
import { runs } from '@vds/testkit/counts';
import { claimNext } from '@vds/testkit/harness/claim-next';
import { countErrors, openDeadlockDatabase } from '@vds/testkit/harness/deadlocks';
import { idleStages } from '@vds/testkit/harness/idle-stages';
import { finishInProgress } from '../src/domain/caption-job.ts';
import { captionsStage } from '../src/inbound/captions-stage.ts';
import { changeJob } from '../src/inbound/change-job.ts';
import { purgeOf } from '../src/outbound/purge.ts';
import type { Deps, Stage } from '../src/inbound/deps.ts';

const failed = { status: 'failed', reason: 'engine_error' } as const;
const VIDEOS_AT_ONCE = 8;

describe('concurrent transactions on captions', () => {
  let database: Awaited<ReturnType<typeof openDeadlockDatabase>>;
  let pool: typeof database.pool;

  beforeEach(async () => {
    database = await openDeadlockDatabase(new URL('..', import.meta.url));
    pool = database.pool;
  });
  afterEach(() => database.drop());

  const deps = { metrics: { tracksEnded: () => {} }, targets: ['en', 'es'], garbageAfterMs: 1 } as unknown as Deps;
  const purge = (): PurgeDefinition => ({
    event: events.captionsVideoPurged,
    tables: purgeOf(deps).tables,
  });
  const runtime = () => idleStages(pool, [bindStage(captionsStage, deps)], purge());
  const request = (videoId: string): Promise<void> =>
    runtime().deliver(events.captionsRequested, {
      ...{ videoId, attempt: 1, revision: 0, publisherId: 'p' },
      ...{ durationMs: 12_000, hasAudio: true, audioPlaylistKey: 'k', languageCode: 'en' },
    });
  const requestPurge = (videoId: string): Promise<void> =>
    runtime().deliver(events.purgeRequested, {
      ...{ videoId, scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 2, owners: ['captions'] },
    });
  const claimAll = async (queue: string): Promise<readonly ClaimedJob[]> => {
    const claimed: ClaimedJob[] = [];
    for (let job = await claimNext(pool, queue); job; job = await claimNext(pool, queue)) claimed.push(job);
    return claimed;
  };
  /** The last track of a video ends, and its stage with it. */
  const endJob = (job: ClaimedJob): Promise<void> => {
    const owner = { ...job, publisherId: 'p' };
    const stage: Stage = runtime().handle(captionsStage, owner);
    return finish(pool, job, undefined, async (client) => {
      await changeJob(deps, client, { ...owner, stage }, (before) => finishInProgress(before, failed));
    });
  };
  const runPurge = (job: ClaimedJob): Promise<void> => {
    const options = {
      ...{ ...purge(), pool, log: createLogger('test', 'error'), metrics: createMetrics('test') },
      ...{ cancelled: async () => {}, againMs: 3_600_000 },
    };
    const complete: Job['complete'] = (also) => finish(pool, job, undefined, also);
    return purgeQueue(options, 0).run({ ...job, complete } as Job);
  };

  it('the end of captions that were requested after their purge never deadlocks with the purge', async () => {
    const refused: Record<string, number> = {};
    let purged = 0;
    for (let round = 0; round < runs(25); round += 1) {
      const videos = Array.from({ length: VIDEOS_AT_ONCE }, (_one, index) => `v-${round}-${index}`);
      await Promise.all(videos.map(requestPurge));
      await Promise.all(videos.map(request));
      const [jobs, purges] = [await claimAll('transcribe'), await claimAll('purge')];
      expect([jobs.length, purges.length]).to.deep.equal([VIDEOS_AT_ONCE, VIDEOS_AT_ONCE]);
      await countErrors([...jobs.map(endJob), ...purges.map(runPurge)], refused);
      purged += purges.length;
    }
    expect({ refused, deadlocks: await database.deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect(purged).to.equal(VIDEOS_AT_ONCE * runs(25));
  });

  it('the end of captions never deadlocks with their cancellation, purge and repeated request', async () => {
    const refused: Record<string, number> = {};
    for (let round = 0; round < runs(25); round += 1) {
      const videos = Array.from({ length: VIDEOS_AT_ONCE }, (_one, index) => `w-${round}-${index}`);
      await Promise.all(videos.map(request));
      const jobs = await claimAll('transcribe');
      expect(jobs).to.have.length(VIDEOS_AT_ONCE);
      const others = videos.flatMap((videoId, index) => [
        request(videoId),
        index % 2 === 0 ? runtime().deliver(events.videoCancelled, { videoId }) : requestPurge(videoId),
      ]);
      await countErrors([...jobs.map(endJob), ...others], refused);
      await claimAll('purge');
    }
    expect({ refused, deadlocks: await database.deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
  });
});
