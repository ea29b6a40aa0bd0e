/** Notes of progress, results, failures and cancellations of the same titles, all at the same moment. */
import { expect } from 'chai';
import { events } from '@vds/proto/events';
import { openPool, withTransaction } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import type { Purges } from '@vds/chassis/stage/purge';
import { runs } from '@vds/testkit/counts';
import { countDeadlocks, countRefused } from '@vds/testkit/harness/deadlocks';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { claim, renew, finish } from '@vds/chassis/work/job-rows';
import type { TitlePlan } from '../src/domain/plan/title-plan.ts';
import type { EncodeUnit } from '../src/domain/plan/units.ts';
import { encodeQueue, keep, noteProgress } from '../src/inbound/encode-queue.ts';
import { broadcastHandlers } from '../src/inbound/events.ts';
import type { Deps } from '../src/inbound/deps.ts';
import { enqueueUnits } from '../src/outbound/encode-units.ts';
import { openStage } from '../src/outbound/stages.ts';
import { addParts } from '../src/outbound/titles.ts';

type Unit = Parameters<typeof keep>[0];

/** As much of a plan as the queue asks for. */
const plan = { timeline: { videoEnd: 24, audioEnd: 24 } } as unknown as TitlePlan;
const units: readonly EncodeUnit[] = [
  { unit: 'audio', payload: { kind: 'audio' }, weight: 1 },
  ...[0, 1, 2, 3, 4, 5].map((index) => ({
    unit: `piece-${index}`,
    payload: { kind: 'piece', index } as const,
    weight: 4,
  })),
];
const leaseMs = 60_000;
const log = createLogger('test', 'error');
const corrupt = new AppError('INVALID_ARGUMENT', 'nothing in it can be decoded', { reason: 'source_corrupt' });

describe('the units of a title at the same moment', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;

  const poolOf = (databasePoolSize: number) =>
    openPool({ databaseUrl: database.url, databasePassword: database.password, databasePoolSize }, 'test', log);
  const deps = (): Deps => ({ pool, wake: () => {}, log }) as unknown as Deps;

  beforeEach(async () => {
    database = await testDatabase(new URL('..', import.meta.url));
    // Where there are deadlocks, they are found out sooner: PostgreSQL looks for them after a second.
    const one = poolOf(1);
    await one.query(`ALTER DATABASE ${database.poolConfig.database} SET deadlock_timeout = '20ms'`);
    await one.end();
    pool = poolOf(24);
  });
  afterEach(async () => {
    if (!pool.ended) await pool.end();
    await database.drop();
  });

  const claimUnit = async (): Promise<Unit> => {
    const claimed = (await claim(pool, 'encode', leaseMs))!;
    const { groupKey: videoId, attempt, unit: name } = claimed;
    const key = { videoId, attempt, stage: 'encode' } as const;
    const job: Unit['job'] = {
      ...claimed,
      signal: new AbortController().signal,
      progress: () => {},
      complete: (also, result) => finish(pool, claimed, 'done', { result }, also),
    };
    const title = { ...key, publisherId: 'p', sourceKey: 's', sourceBytes: 1, state: 'open', answer: null } as const;
    return { deps: deps(), job, key, title, plan, payload: { kind: 'piece' }, folder: `${name}.1` };
  };

  /** Opens two attempts of a video and claims all their units. */
  const claimTitle = async (videoId: string): Promise<Unit[]> => {
    for (const attempt of [1, 2])
      await withTransaction(pool, async (client) => {
        const title = { videoId, attempt, stage: 'encode', publisherId: 'p', sourceKey: 's', sourceBytes: 1 } as const;
        await openStage(client, title);
        await addParts(client, title, units);
        await enqueueUnits(client, title, plan, units);
      });
    const claimed: Unit[] = [];
    while (claimed.length < 2 * units.length) {
      const unit = await claimUnit();
      // What assembles the title before waits as well.
      if (unit.key.videoId === videoId) claimed.push(unit);
      else await unit.job.complete();
    }
    return claimed;
  };

  const noted = (unit: Unit): Promise<unknown>[] => [10, 50, 90].map((percent) => noteProgress(unit, percent));
  const renewed = ({ job }: Unit): Promise<unknown> => renew(pool, job, leaseMs, 50);
  const failed = async ({ job }: Unit): Promise<void> =>
    finish(pool, job, 'failed', { error: corrupt.message }, (client) =>
      encodeQueue(deps(), 1).failed(client, job, corrupt),
    );
  const cancelled = (videoId: string): Promise<void>[] => {
    const deps = { pool, wake: () => {}, abort: () => {}, purges: {} as Purges };
    const said = events.videoCancelled.encode({ videoId });
    // Every replica hears it.
    return Array.from({ length: 3 }).flatMap(() =>
      broadcastHandlers(deps).map((ear) => ear.handle(said, { id: 'cancelled', delivery: 1 })),
    );
  };

  const deadlocks = (): Promise<number> => countDeadlocks(pool, () => poolOf(1));

  const count = async (sql: string): Promise<number> =>
    (await pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)).rows[0]!.n;

  it('note their progress and keep their results without a deadlock', async () => {
    const refused: Record<string, number> = {};
    const titles = runs(25);
    for (let round = 0; round < titles; round += 1) {
      const claimed = await claimTitle(`video-${round}`);
      await countRefused(
        claimed.flatMap((unit) => [...noted(unit), keep(unit, { folder: unit.folder })]),
        refused,
      );
    }
    const made = await count('parts WHERE made IS NOT NULL');
    const assembling = await count(`chassis.work WHERE unit = 'assemble'`);
    expect({ refused, deadlocks: await deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ made, assembling }).to.deep.equal({ made: titles * 2 * units.length, assembling: titles * 2 });
  });

  it('fail for good while others end or are renewed without a deadlock, and cancel those of no other attempt', async () => {
    const refused: Record<string, number> = {};
    const titles = runs(25);
    for (let round = 0; round < titles; round += 1) {
      const claimed = await claimTitle(`video-${round}`);
      const [bad, worse] = claimed.filter(({ key }) => key.attempt === 1) as [Unit, Unit];
      const good = claimed.filter((unit) => unit !== bad && unit !== worse);
      const ended = good.flatMap((unit) => [keep(unit, {}), ...noted(unit), renewed(unit)]);
      await countRefused([failed(bad), ...ended, failed(worse)], refused);
    }
    const said = await count(`chassis.outbox WHERE subject = 'transcode.encode.failed.v1'`);
    const assembling = await count(`chassis.work WHERE unit = 'assemble' AND attempt = 2`);
    expect({ refused, deadlocks: await deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ said, assembling }).to.deep.equal({ said: titles, assembling: titles });
  });

  it('are cancelled by every replica while they end, fail or are renewed without a deadlock', async () => {
    const refused: Record<string, number> = {};
    const titles = runs(25);
    for (let round = 0; round < titles; round += 1) {
      const videoId = `video-${round}`;
      const claimed = await claimTitle(videoId);
      const [bad, ...good] = claimed as [Unit, ...Unit[]];
      const ended = good.flatMap((unit) => [keep(unit, {}), ...noted(unit), renewed(unit)]);
      await countRefused([...ended, failed(bad), ...cancelled(videoId)], refused);
    }
    const open = await count(`stages WHERE state = 'open'`);
    const running = await count(`chassis.work WHERE state = 'running'`);
    expect({ refused, deadlocks: await deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
    expect({ open, running }).to.deep.equal({ open: 0, running: 0 });
  });
});
