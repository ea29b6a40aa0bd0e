/** Writes to one stage alone: they meet only the stage that they were decided for. */
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { expect } from 'chai';
import type { StageUpdate } from '../src/domain/stage-events.ts';
import { openPrisma } from '../src/outbound/prisma.ts';
import { loadSnapshot } from '../src/outbound/snapshots.ts';
import { openVideoStore, writeStageUpdate } from '../src/outbound/video-store.ts';
import { writePlan } from '../src/outbound/write-plan.ts';
import { commonHouse } from './shared-fixture.ts';
import type { House } from './harness.ts';
import { actOn } from './partner.ts';
import { decisionOn, saidBy } from './random/words.ts';
import { around } from './support.ts';

describe('a write to one stage alone', () => {
  let house: House;
  let pool: ReturnType<typeof openPool>;
  before(async () => {
    house = await commonHouse();
    const { url: databaseUrl, password: databasePassword } = house.database;
    pool = openPool({ databaseUrl, databasePassword, databasePoolSize: 2 }, 'catalog', createLogger('test', 'error'));
  });
  after(() => pool.close());

  it('is decided again when the stage was asked for once more meanwhile', async () => {
    const { id } = await actOn(house).ready();
    const prisma = openPrisma(pool);
    const quiet = { wake: () => {}, observe: () => {} };
    const { change } = openVideoStore({
      pool,
      prisma,
      times: { ...around(new Date()), remindFirstMs: 1_000 },
      ...quiet,
    });
    await house.pool.query(
      `UPDATE stages SET state = 'requested', progress = 0, revision = 1 WHERE video_id = $1 AND stage = 'metadata'`,
      [id],
    );
    let rounds = 0;
    const by = { actor: 'test', action: 'mark' };
    await change(
      id,
      ({ stages }) => {
        rounds += 1;
        const is = stages.find(({ stage }) => stage === 'metadata');
        if (!is || rounds > 1) return { kind: 'nothing' };
        const before = { ...is, revision: 0 };
        return { kind: 'mark', before, status: { ...before, state: 'started', progress: 40 } } satisfies StageUpdate;
      },
      by,
    );
    const { rows } = await house.pool.query(
      `SELECT state, progress FROM stages WHERE video_id = $1 AND stage = 'metadata'`,
      [id],
    );
    expect([rounds, rows]).to.deep.equal([2, [{ state: 'requested', progress: 0 }]]);
    await prisma.close();
  });

  it('is decided again when its video was changed meanwhile', async () => {
    const act = actOn(house);
    const { id } = await act.create();
    await act.hears(id, 'fetchRequested');
    const before = await loadSnapshot(pool, id, undefined);
    const [status] = before?.stages ?? [];
    if (!before || !status) return expect.fail(`video ${id} is gone`);
    await house.pool.query(`UPDATE videos SET version = version + 1, intent = 'delete' WHERE id = $1`, [id]);
    const mark: StageUpdate = {
      kind: 'mark',
      before: status,
      status: { ...status, state: 'started', dueAt: before.now },
    };
    expect(await writeStageUpdate(pool, before.video, mark)).to.equal(false);
    const now = { ...before.video, version: before.video.version + 1 };
    expect(await writeStageUpdate(pool, now, mark)).to.equal(true);
  });

  it('is not written over by a plan that was made before it', async () => {
    const act = actOn(house);
    const { id } = await act.create();
    await act.hears(id, 'fetchRequested');
    await act.complete.fetch(id, 1);
    await act.hears(id, 'inspectRequested');
    await act.complete.inspect(id, 1);
    await act.hears(id, 'encodeRequested');
    const prisma = openPrisma(pool);
    const before = await loadSnapshot(pool, id, undefined);
    if (!before) return expect.fail(`video ${id} is gone`);
    const step = { do: 'word', word: 'audio', stage: 'open', old: false, stale: false, bus: false } as const;
    const { decide, by } = await decisionOn(await saidBy(step, before));
    const plan = decide(before, around(before.now));
    if (plan.kind !== 'plan') return expect.fail(`decided ${plan.kind}`);
    await house.pool.query(
      `UPDATE stages SET state = 'started', progress = 40 WHERE video_id = $1 AND stage = 'encode'`,
      [id],
    );
    expect(await writePlan(prisma, { plan, was: before.stages, now: before.now, by, remindFirstMs: 1_000 })).to.equal(
      false,
    );
    const { rows } = await house.pool.query(
      `SELECT v.version, s.progress, s.reached FROM videos v JOIN stages s ON s.video_id = v.id
       WHERE v.id = $1 AND s.stage = 'encode'`,
      [id],
    );
    expect(rows).to.deep.equal([{ version: before.video.version, progress: 40, reached: [] }]);
    await prisma.close();
  });
});
