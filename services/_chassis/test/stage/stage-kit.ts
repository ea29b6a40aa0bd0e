/** A stage called `weigh` in a fresh database for each test, and what it has said. */
import type { Outgoing } from '../../src/database/outbox.ts';
import { withTransaction } from '../../src/database/database.ts';
import {
  openStages,
  stageMessageId,
  unitAt,
  type StageRequest,
  type StageKey,
  type StageOptions,
} from '../../src/stage/stages.ts';
import { enqueue } from '../../src/work/work.ts';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { poolOf } from '../fixtures.ts';

export type Load = { readonly stones: number };
export type Weight = { readonly grams: number };
export type Said = { readonly subject: string; readonly id: string; readonly payload: Record<string, unknown> };

const saidSql = 'SELECT subject, message_id AS id, payload FROM chassis.outbox ORDER BY outbox.id';

export function asking(more: Partial<StageRequest<Load>> = {}): StageRequest<Load> {
  return {
    groupKey: 'a',
    attempt: 1,
    revision: 0,
    tenant: 't',
    request: { stones: 3 },
    ...more,
  };
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
  const stages = (more: Partial<StageOptions<Load, Weight>> = {}) => openStages({ ...optionsFor(pool), ...more });
  const said = async (): Promise<Said[]> => {
    const { rows } = await pool.query<{ subject: string; id: string; payload: Buffer }>(saidSql);
    return rows.map(({ subject, id, payload }) => ({
      subject,
      id,
      payload: JSON.parse(payload.toString('utf8')) as Said['payload'],
    }));
  };
  /** The third word of each subject. */
  const words = async (): Promise<string[]> => (await said()).map(({ subject }) => subject.split('.')[2] ?? '');
  const units = async (): Promise<string[]> => {
    const text = 'SELECT unit, state FROM chassis.work ORDER BY id';
    return (await pool.query<{ unit: string; state: string }>(text)).rows.map(({ unit, state }) => `${unit} ${state}`);
  };
  const complete = (key: StageKey, grams = 1): Promise<boolean> =>
    withTransaction(pool, (client) => stages().complete(client, key, { grams }));
  const fail = (key: StageKey): Promise<boolean> =>
    withTransaction(pool, (client) => stages().fail(client, key, { code: 'too_heavy', details: { by: 'far' } }));
  return { pool: () => pool, stages, said, words, units, complete, fail };
}

function optionsFor(pool: ReturnType<typeof poolOf>): StageOptions<Load, Weight> {
  return {
    pool,
    stage: 'weigh',
    wake: () => {},
    publisher: {
      started: (key) => word('started', key, {}),
      progressed: (key, percent) => word('progressed', key, { percent }, `/${percent}`),
      completed: (key, done, repeat) => word('completed', key, done, repeat),
      failed: (key, failure, repeat) => word('failed', key, failure, repeat),
    },
    begin: async (client, { groupKey, attempt, revision, tenant, request }) => {
      const payload = { revision, ...request };
      await enqueue(client, [{ queue: 'q', groupKey, attempt, unit: unitAt('pan', revision), tenant, payload }]);
    },
  };
}

function word(name: string, key: StageKey, payload: object, more = ''): Outgoing {
  const subject = `scales.weigh.${name}.v1`;
  const { groupKey, attempt, revision } = key;
  const body = JSON.stringify({ groupKey, attempt, revision, ...payload });
  return { subject, messageId: stageMessageId(subject, key, more), payload: Buffer.from(body), traceparent: null };
}
