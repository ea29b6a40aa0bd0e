/** Progress, results, failures and cancellations of the same videos, all at the same time. */
import { expect } from 'chai';
import { events, type stageEvents } from '@vds/proto/events';
import { withTransaction } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import type { StageHandle } from '@vds/chassis/stage/define-stage';
import { bindStage } from '@vds/chassis/stage/run-stages';
import { openRow } from '@vds/chassis/stage/stage-rows';
import { runs } from '@vds/testkit/counts';
import { countErrors, openDeadlockDatabase } from '@vds/testkit/harness/deadlocks';
import { idleStages } from '@vds/testkit/harness/idle-stages';
import { renew, finish, type ClaimedJob } from '@vds/chassis/work/job-rows';
import { claimNext } from '@vds/testkit/harness/claim-next';
import { withCosts, type EncodeJob, type PlannedJob } from '../src/domain/plan/encode-jobs.ts';
import type { EncodePlan } from '../src/domain/plan/encode-plan.ts';
import type { Deps, EncodeStageJob } from '../src/inbound/deps.ts';
import { encodeStage, finishJob, reportProgress } from '../src/inbound/encode-stage.ts';
import { failureOf } from '../src/inbound/failure.ts';
import { addResults } from '../src/outbound/encode-rows.ts';
import { purgeOf } from '../src/outbound/purge.ts';

type Handle = StageHandle<EncodeJob, typeof stageEvents.encode>;
type ClaimedStageJob = { readonly job: EncodeStageJob; readonly claimed: ClaimedJob };

/** The fields of a plan that jobs read. */
const plan = {
  timeline: { end: 24, frames: 600 },
  probe: { video: { width: 640, height: 360 } },
  rungs: [],
  pieces: [],
} as unknown as EncodePlan;
const saved = { plan, sourceKey: 's', provisional: false, version: 0, ageMs: 0 };
const jobs: readonly PlannedJob[] = [
  { name: 'sound', payload: { kind: 'sound', index: 0 }, weight: 1 },
  ...[0, 1, 2, 3, 4, 5].map((index) => ({
    name: `piece-${index}`,
    payload: { kind: 'piece', index } as const,
    weight: 4,
  })),
];
const LEASE_MS = 60_000;
const log = createLogger('test', 'error');
const corrupt = new AppError('INVALID_ARGUMENT', 'nothing in it can be decoded', { reason: 'source_corrupt' });

describe('concurrent jobs of a video', () => {
  let database: Awaited<ReturnType<typeof openDeadlockDatabase>>;
  let pool: typeof database.pool;

  const deps = (): Deps => ({ pool, log }) as unknown as Deps;

  beforeEach(async () => {
    database = await openDeadlockDatabase('transcode');
    pool = database.pool;
  });
  afterEach(() => database.drop());

  const runtime = () =>
    idleStages(
      pool,
      [bindStage(encodeStage, deps())],
      purgeOf({} as never, async (key) => [key]),
    );
  const handleOf = ({ videoId, attempt }: { videoId: string; attempt: number }): Handle =>
    runtime().handle<EncodeJob, typeof stageEvents.encode>(encodeStage, {
      videoId,
      attempt,
      revision: 0,
      publisherId: 'p',
    });

  const claimJob = async (): Promise<ClaimedStageJob> => {
    const claim = (queue: string) => claimNext(pool, queue, { leaseMs: LEASE_MS });
    const claimed = ((await claim('encode')) ?? (await claim('inspect')))!;
    const request = { sourceKey: 's', sourceBytes: 1, durationMs: 1 };
    const job: EncodeStageJob = {
      ...{ ...claimed, publisherId: 'p', request, payload: { kind: 'piece', index: 0 } },
      signal: new AbortController().signal,
      progress: () => {},
      complete: (also) => finish(pool, claimed, undefined, also),
      postpone: () => Promise.reject(new Error('not here')),
      originUnreachable: () => false,
      stage: handleOf(claimed),
      sibling: () => Promise.reject(new Error('not here')) as never,
    };
    return { job, claimed };
  };

  /** Opens two attempts of a video and claims all their jobs. */
  const claimVideo = async (videoId: string): Promise<ClaimedStageJob[]> => {
    for (const attempt of [1, 2])
      await withTransaction(pool, async (client) => {
        const key = { videoId, attempt, revision: 0 };
        await openRow(client, 'encode', { ...key, publisherId: 'p', request: {} });
        await addResults(client, key, jobs);
        await handleOf(key).enqueue(client, withCosts(jobs, plan));
      });
    const claimed: ClaimedStageJob[] = [];
    while (claimed.length < 2 * jobs.length) {
      const item = await claimJob();
      // The assembly of the previous video is ready as well.
      if (item.job.videoId === videoId) claimed.push(item);
      else await item.job.complete();
    }
    return claimed;
  };

  const reports = ({ job }: ClaimedStageJob): Promise<unknown>[] =>
    [10, 50, 90].map((percent) => reportProgress({ pool }, job, percent));
  const renewal = ({ claimed }: ClaimedStageJob): Promise<unknown> => renew(pool, claimed, LEASE_MS, 50);
  const failed = ({ job, claimed }: ClaimedStageJob): Promise<void> =>
    finish(pool, claimed, corrupt.message, async (client) => {
      await job.stage.fail(client, failureOf(corrupt));
    });
  /** Every replica consumes it. */
  const cancelled = (videoId: string): Promise<void>[] =>
    Array.from({ length: 3 }, () => runtime().deliver(events.videoCancelled, { videoId }));

  const count = async (sql: string): Promise<number> =>
    (await pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)).rows[0]!.n;

  it('jobs of a video report progress and save results at the same time without a deadlock', async () => {
    const refused: Record<string, number> = {};
    const videos = runs(25);
    for (let round = 0; round < videos; round += 1) {
      const claimed = await claimVideo(`video-${round}`);
      await countErrors(
        claimed.flatMap((item) => [
          ...reports(item),
          finishJob(item.job, saved, { kind: 'cut', folder: item.job.name }),
        ]),
        refused,
      );
    }
    const made = await count('job_results WHERE result IS NOT NULL');
    const assembling = await count(`chassis.jobs WHERE name = 'assemble'`);
    expect({ refused, deadlocks: await database.deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ made, assembling }).to.deep.equal({ made: videos * 2 * jobs.length, assembling: videos * 2 });
  });

  it('jobs of a video fail while others end or renew without a deadlock, and cancel no other attempt', async () => {
    const refused: Record<string, number> = {};
    const videos = runs(25);
    for (let round = 0; round < videos; round += 1) {
      const claimed = await claimVideo(`video-${round}`);
      const [bad, worse] = claimed.filter(({ job }) => job.attempt === 1) as [ClaimedStageJob, ClaimedStageJob];
      const good = claimed.filter((item) => item !== bad && item !== worse);
      const ended = good.flatMap((item) => [
        finishJob(item.job, saved, { kind: 'cut', folder: '' }),
        ...reports(item),
        renewal(item),
      ]);
      await countErrors([failed(bad), ...ended, failed(worse)], refused);
    }
    const published = await count(`chassis.outbox WHERE subject = 'transcode.encode.failed.v1'`);
    const assembling = await count(`chassis.jobs WHERE name = 'assemble' AND attempt = 2`);
    expect({ refused, deadlocks: await database.deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ published, assembling }).to.deep.equal({ published: videos, assembling: videos });
  });

  it('jobs of a video are cancelled by every replica while they end, fail or renew without a deadlock', async () => {
    const refused: Record<string, number> = {};
    const videos = runs(25);
    for (let round = 0; round < videos; round += 1) {
      const videoId = `video-${round}`;
      const claimed = await claimVideo(videoId);
      const [bad, ...good] = claimed as [ClaimedStageJob, ...ClaimedStageJob[]];
      const ended = good.flatMap((item) => [
        finishJob(item.job, saved, { kind: 'cut', folder: '' }),
        ...reports(item),
        renewal(item),
      ]);
      await countErrors([...ended, failed(bad), ...cancelled(videoId)], refused);
    }
    const open = await count(`chassis.stages WHERE state = 'open'`);
    const running = await count(`chassis.jobs WHERE state = 'running'`);
    expect({ refused, deadlocks: await database.deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ open, running }).to.deep.equal({ open: 0, running: 0 });
  });
});
