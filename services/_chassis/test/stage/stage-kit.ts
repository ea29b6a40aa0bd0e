/** A stage called `weigh` in a fresh database for each test, and what it has published. */
import type { EventType } from '@vds/proto/events';
import type { VideoPurged } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { withTransaction } from '../../src/database/database.ts';
import {
  defineStage,
  type BoundStage,
  type StageDefinition,
  type StageKey,
  type StageRequest,
} from '../../src/stage/define-stage.ts';
import { bindStage, startStages, type Stages } from '../../src/stage/run-stages.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { enterStage, stageHandle, takeRequest } from '../../src/stage/stage-life.ts';
import { readRow } from '../../src/stage/stage-rows.ts';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { poolOf, quiet } from '../fixtures.ts';

export type Load = { readonly stones: number };
type LoadMessage = Load & {
  readonly videoId: string;
  readonly attempt: number;
  readonly publisherId: string;
  readonly revision: number;
};
type WeightMessage = StageKey & { readonly grams: number };
export type WeighJob = { readonly kind: 'pan'; readonly stones: number };
export type Published = { readonly subject: string; readonly id: string; readonly payload: Record<string, unknown> };
type Failed = StageKey & { readonly code: string; readonly details: Record<string, string> };

const publishedSql = 'SELECT subject, message_id AS id, payload FROM chassis.outbox ORDER BY outbox.id';

/** An event of a fictitious owner, as JSON. */
export function jsonEvent<T extends object>(subject: string): EventType<T, T> {
  return {
    ...{ subject, message: 'test', owner: subject.slice(0, subject.indexOf('.')), kind: 'fact', consumers: {} },
    encode: (payload) => Buffer.from(JSON.stringify(payload)),
    decode: (data) => JSON.parse(Buffer.from(data).toString('utf8')) as T,
  };
}

export const weighEvents = {
  requested: jsonEvent<LoadMessage>('catalog.weigh.requested.v1'),
  started: jsonEvent<StageKey>('scales.weigh.started.v1'),
  progressed: jsonEvent<StageKey & { percent: number }>('scales.weigh.progressed.v1'),
  completed: jsonEvent<WeightMessage>('scales.weigh.completed.v1'),
  failed: jsonEvent<Failed>('scales.weigh.failed.v1'),
};
export type WeighDefinition = StageDefinition<null, WeighJob, typeof weighEvents>;

export function weighStage(more: Partial<WeighDefinition> = {}): WeighDefinition {
  return defineStage<null, WeighJob, typeof weighEvents>({
    name: 'weigh',
    events: weighEvents,
    plan: ({ request: { stones } }) => [{ name: 'pan', payload: { kind: 'pan', stones } }],
    jobs: { pan: { run: (job) => job.complete() } },
    limits: () => ({ stallMs: 60_000, budgetMs: 60_000 }),
    ...more,
  });
}

export function requestOf(more: Partial<StageRequest<Load>> = {}): StageRequest<Load> {
  return {
    videoId: 'a',
    attempt: 1,
    revision: 0,
    publisherId: 't',
    request: { stones: 3 },
    ...more,
  };
}

/** Runs the stage without a bus, its jobs in slots that poll often. */
export function startTestStages(
  pool: ReturnType<typeof poolOf>,
  definition: WeighDefinition,
  queues: Readonly<Record<string, { slots: number }>> = { weigh: { slots: 1 } },
): Stages {
  const bus = { subscribe: () => {}, watch: () => {} };
  const worker = { pool, log: quiet, metrics: createMetrics('test'), bus, relay: { notify: () => {} } };
  const config = { leaseMs: 60_000, renewMs: 20_000, purgeSlots: 0, purgeAgainMs: 1 };
  const purge = { event: jsonEvent<VideoPurged>('scales.video.purged.v1'), tables: [] };
  const stages = [bindStage(definition, null)];
  return startStages(config, worker, { stages, queues, purge, pollMs: 20, retryDelaysMs: [20] });
}

/** Registers mocha's hooks; call it inside `describe`. */
export function stageKit() {
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;
  beforeEach(async () => {
    database = await testDatabase();
    pool = poolOf(database);
  });
  afterEach(async () => {
    await pool.close();
    await database.drop();
  });
  const published = async (): Promise<Published[]> => {
    const { rows } = await pool.query<{ subject: string; id: string; payload: Buffer }>(publishedSql);
    return rows.map(({ subject, id, payload }) => ({
      subject,
      id,
      payload: JSON.parse(payload.toString('utf8')) as Published['payload'],
    }));
  };
  /** The third token of each subject. */
  const facts = async (): Promise<string[]> => (await published()).map(({ subject }) => subject.split('.')[2] ?? '');
  const jobs = async (): Promise<string[]> => {
    const text = 'SELECT name, revision, state FROM chassis.jobs ORDER BY id';
    const { rows } = await pool.query<{ name: string; revision: number; state: string }>(text);
    return rows.map(({ name, revision, state }) => `${name}${revision === 0 ? '' : ` (${revision})`} ${state}`);
  };
  return {
    pool: () => pool,
    database: () => database,
    published,
    facts,
    jobs,
    ...lifeOf(() => pool, bindStage(weighStage(), null)),
  };
}

/** The parts of a stage's life, one by one. */
export function lifeOf(pool: () => ReturnType<typeof poolOf>, stage: BoundStage) {
  const deps = (progressEveryMs = 2_000) => ({ pool: pool(), publish: () => {}, progressEveryMs });
  const handle = (key: StageKey, everyMs?: number) => stageHandle(deps(everyMs), stage, { ...key, publisherId: 't' });
  return {
    take: (request: StageRequest<Load>) => takeRequest(deps(), stage, request),
    enter: (key: StageKey) => enterStage(deps(), stage, key),
    read: (key: StageKey) => readRow<Load, object>(pool(), stage.name, key),
    progress: (key: StageKey, percent: number, everyMs?: number) => handle(key, everyMs).progress(percent),
    complete: (key: StageKey, grams = 1): Promise<boolean> =>
      withTransaction(pool(), (client) => handle(key).complete(client, { grams } as never)),
    fail: (key: StageKey): Promise<boolean> =>
      withTransaction(pool(), (client) => handle(key).fail(client, { code: 'too_heavy', details: { by: 'far' } })),
  };
}
