/** Progress, results, failures and cancellations of the same videos, all at the same time. */
import { expect } from 'chai';
import { events, type stageEvents } from '@vds/proto/events';
import { openPool, withTransaction } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import type { StageHandle } from '@vds/chassis/stage/define-stage';
import { bindStage } from '@vds/chassis/stage/run-stages';
import { openRow } from '@vds/chassis/stage/stage-rows';
import { runs } from '@vds/testkit/counts';
import { countDeadlocks, countRefused } from '@vds/testkit/harness/deadlocks';
import { idleStages } from '@vds/testkit/harness/idle-stages';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { claim, renew, finish, type ClaimedJob } from '@vds/chassis/work/job-rows';
import { withCosts, type EncodeJob, type PlannedJob } from '../src/domain/plan/encode-jobs.ts';
import type { TitlePlan } from '../src/domain/plan/title-plan.ts';
import type { Deps, EncodeStageJob } from '../src/inbound/deps.ts';
import { encode, keep, noteProgress } from '../src/inbound/encode.ts';
import { failureOf } from '../src/inbound/failure.ts';
import { addResults } from '../src/outbound/encode-rows.ts';
import { purgeOf } from '../src/outbound/purge.ts';

type Handle = StageHandle<EncodeJob, typeof stageEvents.encode>;
type Held = { readonly job: EncodeStageJob; readonly claimed: ClaimedJob };

/** The fields of a plan that jobs read. */
const plan = { timeline: { videoEnd: 24, audioEnd: 24 } } as unknown as TitlePlan;
const jobs: readonly PlannedJob[] = [
  { name: 'audio', payload: { kind: 'audio' }, weight: 1 },
  ...[0, 1, 2, 3, 4, 5].map((index) => ({
    name: `piece-${index}`,
    payload: { kind: 'piece', index } as const,
    weight: 4,
  })),
];
const leaseMs = 60_000;
const log = createLogger('test', 'error');
const corrupt = new AppError('INVALID_ARGUMENT', 'nothing in it can be decoded', { reason: 'source_corrupt' });

describe('the jobs of a title at the same moment', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;

  const poolOf = (databasePoolSize: number) =>
    openPool({ databaseUrl: database.url, databasePassword: database.password, databasePoolSize }, 'test', log);
  const deps = (): Deps => ({ pool, log }) as unknown as Deps;

  beforeEach(async () => {
    database = await testDatabase(new URL('..', import.meta.url));
    // Detects deadlocks sooner: PostgreSQL checks for them only after a second.
    const one = poolOf(1);
    await one.query(`ALTER DATABASE ${database.poolConfig.database} SET deadlock_timeout = '20ms'`);
    await one.end();
    pool = poolOf(24);
  });
  afterEach(async () => {
    if (!pool.ended) await pool.end();
    await database.drop();
  });

  const runtime = () => idleStages(pool, [bindStage(encode, deps())], purgeOf({} as never));
  const handleOf = ({ videoId, attempt }: { videoId: string; attempt: number }): Handle =>
    runtime().handle<EncodeJob, typeof stageEvents.encode>(encode, { videoId, attempt, revision: 0, publisherId: 'p' });

  const claimJob = async (): Promise<Held> => {
    const claimed = (await claim(pool, 'encode', leaseMs))!;
    const request = { sourceKey: 's', sourceBytes: 1, durationMs: 1 };
    const job: EncodeStageJob = {
      ...{ ...claimed, publisherId: 'p', request, runningMs: 0, payload: { kind: 'piece', index: 0 } },
      signal: new AbortController().signal,
      progress: () => {},
      complete: (also) => finish(pool, claimed, undefined, also),
      postpone: () => Promise.reject(new Error('not here')),
      stage: handleOf(claimed),
    };
    return { job, claimed };
  };

  /** Opens two attempts of a video and claims all their jobs. */
  const claimTitle = async (videoId: string): Promise<Held[]> => {
    for (const attempt of [1, 2])
      await withTransaction(pool, async (client) => {
        const key = { videoId, attempt, revision: 0 };
        await openRow(client, 'encode', { ...key, publisherId: 'p', request: {} });
        await addResults(client, key, jobs);
        await handleOf(key).enqueue(client, withCosts(jobs, plan));
      });
    const claimed: Held[] = [];
    while (claimed.length < 2 * jobs.length) {
      const held = await claimJob();
      // The assembly of the previous video is ready as well.
      if (held.job.videoId === videoId) claimed.push(held);
      else await held.job.complete();
    }
    return claimed;
  };

  const noted = ({ job }: Held): Promise<unknown>[] =>
    [10, 50, 90].map((percent) => noteProgress({ pool }, job, percent));
  const renewed = ({ claimed }: Held): Promise<unknown> => renew(pool, claimed, leaseMs, 50);
  const failed = ({ job, claimed }: Held): Promise<void> =>
    finish(pool, claimed, corrupt.message, async (client) => {
      await job.stage.fail(client, failureOf(corrupt));
    });
  /** Every replica consumes it. */
  const cancelled = (videoId: string): Promise<void>[] =>
    Array.from({ length: 3 }, () => runtime().deliver(events.videoCancelled, { videoId }));

  const deadlocks = (): Promise<number> => countDeadlocks(pool, () => poolOf(1));

  const count = async (sql: string): Promise<number> =>
    (await pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)).rows[0]!.n;

  it('note their progress and keep their results without a deadlock', async () => {
    const refused: Record<string, number> = {};
    const titles = runs(25);
    for (let round = 0; round < titles; round += 1) {
      const claimed = await claimTitle(`video-${round}`);
      await countRefused(
        claimed.flatMap((held) => [...noted(held), keep(held.job, plan, { folder: held.job.name })]),
        refused,
      );
    }
    const made = await count('job_results WHERE result IS NOT NULL');
    const assembling = await count(`chassis.jobs WHERE name = 'assemble'`);
    expect({ refused, deadlocks: await deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ made, assembling }).to.deep.equal({ made: titles * 2 * jobs.length, assembling: titles * 2 });
  });

  it('fail for good while others end or are renewed without a deadlock, and cancel those of no other attempt', async () => {
    const refused: Record<string, number> = {};
    const titles = runs(25);
    for (let round = 0; round < titles; round += 1) {
      const claimed = await claimTitle(`video-${round}`);
      const [bad, worse] = claimed.filter(({ job }) => job.attempt === 1) as [Held, Held];
      const good = claimed.filter((held) => held !== bad && held !== worse);
      const ended = good.flatMap((held) => [keep(held.job, plan, {}), ...noted(held), renewed(held)]);
      await countRefused([failed(bad), ...ended, failed(worse)], refused);
    }
    const published = await count(`chassis.outbox WHERE subject = 'transcode.encode.failed.v1'`);
    const assembling = await count(`chassis.jobs WHERE name = 'assemble' AND attempt = 2`);
    expect({ refused, deadlocks: await deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ published, assembling }).to.deep.equal({ published: titles, assembling: titles });
  });

  it('are cancelled by every replica while they end, fail or are renewed without a deadlock', async () => {
    const refused: Record<string, number> = {};
    const titles = runs(25);
    for (let round = 0; round < titles; round += 1) {
      const videoId = `video-${round}`;
      const claimed = await claimTitle(videoId);
      const [bad, ...good] = claimed as [Held, ...Held[]];
      const ended = good.flatMap((held) => [keep(held.job, plan, {}), ...noted(held), renewed(held)]);
      await countRefused([...ended, failed(bad), ...cancelled(videoId)], refused);
    }
    const open = await count(`chassis.stages WHERE state = 'open'`);
    const running = await count(`chassis.jobs WHERE state = 'running'`);
    expect({ refused, deadlocks: await deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ open, running }).to.deep.equal({ open: 0, running: 0 });
  });
});
