/** Updates of a single stage apply only to the stage they were decided for. */
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { expect } from 'chai';
import { decideStageEvent, type StageEvent, type StageUpdate } from '../../src/domain/stage-events.ts';
import { loadSnapshot } from '../../src/outbound/snapshots.ts';
import { openVideoStore, writeStageUpdate } from '../../src/outbound/video-store.ts';
import { writePlan } from '../../src/outbound/write-plan.ts';
import { commonHarness } from './shared-fixture.ts';
import type { Harness } from './harness.ts';
import { actOn } from './partner.ts';
import { contextAt } from '../domain/fixtures.ts';

describe('an update of a single stage', () => {
  let harness: Harness;
  let pool: ReturnType<typeof openPool>;
  before(async () => {
    harness = await commonHarness();
    const { url: databaseUrl, password: databasePassword } = harness.database;
    pool = openPool({ databaseUrl, databasePassword, databasePoolSize: 2 }, 'catalog', createLogger('test', 'error'));
  });
  after(() => pool.close());

  it('an update of a stage is decided again if the stage was requested again in the meantime', async () => {
    const { id } = await actOn(harness).ready();
    const quiet = { notify: () => {}, onPlan: [] };
    const { change } = openVideoStore({
      pool,
      times: { ...contextAt(new Date()), republishFirstMs: 1_000 },
      ...quiet,
    });
    await harness.pool.query(
      `UPDATE stages SET state = 'requested', progress = 0, revision = 1 WHERE video_id = $1 AND stage = 'metadata'`,
      [id],
    );
    let rounds = 0;
    const by = { actor: 'test', action: 'update' };
    await change(
      id,
      ({ stages }) => {
        rounds += 1;
        const is = stages.find(({ stage }) => stage === 'metadata');
        if (!is || rounds > 1) return { kind: 'no-op' };
        const before = { ...is, revision: 0 };
        return {
          kind: 'stage-update',
          before,
          status: { ...before, state: 'started', progress: 40 },
        } satisfies StageUpdate;
      },
      by,
    );
    const { rows } = await harness.pool.query(
      `SELECT state, progress FROM stages WHERE video_id = $1 AND stage = 'metadata'`,
      [id],
    );
    expect([rounds, rows]).to.deep.equal([2, [{ state: 'requested', progress: 0 }]]);
  });

  it('an update of a stage is decided again if its video has changed in the meantime', async () => {
    const act = actOn(harness);
    const { id } = await act.create();
    await act.awaitEvents(id, 'fetchRequested');
    const before = await loadSnapshot(pool, id, undefined);
    const [status] = before?.stages ?? [];
    if (!before || !status) return expect.fail(`video ${id} is gone`);
    await harness.pool.query(`UPDATE videos SET version = version + 1, intent = 'delete' WHERE id = $1`, [id]);
    const update: StageUpdate = {
      kind: 'stage-update',
      before: status,
      status: { ...status, state: 'started', startedAt: before.now },
    };
    expect(await writeStageUpdate(pool, before.video, update)).to.equal(false);
    const now = { ...before.video, version: before.video.version + 1 };
    expect(await writeStageUpdate(pool, now, update)).to.equal(true);
  });

  it('an update of a stage is not overwritten by a plan that was made before it', async () => {
    const act = actOn(harness);
    const { id } = await act.create();
    await act.awaitEvents(id, 'fetchRequested');
    await act.complete.fetch(id, 1);
    await act.awaitEvents(id, 'inspectRequested');
    await act.complete.inspect(id, 1);
    await act.stageIs(id, 'inspect', 'completed');
    const before = await loadSnapshot(pool, id, undefined);
    if (!before) return expect.fail(`video ${id} is gone`);
    const event: StageEvent = {
      ...{ videoId: id, attempt: 1, revision: 0, stage: 'encode' },
      ...{ type: 'reached', milestone: 'audio', outputs: { hasAudio: true } },
    };
    const plan = decideStageEvent(before, event, contextAt(before.now));
    if (plan.kind !== 'plan') return expect.fail(`decided ${plan.kind}`);
    await harness.pool.query(
      `UPDATE stages SET state = 'started', progress = 40 WHERE video_id = $1 AND stage = 'encode'`,
      [id],
    );
    expect(
      await writePlan(pool, {
        plan,
        stages: before.stages,
        now: before.now,
        by: { actor: 'catalog', action: 'encode reached' },
        republishFirstMs: 1_000,
      }),
    ).to.equal(false);
    const { rows } = await harness.pool.query(
      `SELECT v.version, s.progress, s.reached FROM videos v JOIN stages s ON s.video_id = v.id
       WHERE v.id = $1 AND s.stage = 'encode'`,
      [id],
    );
    expect(rows).to.deep.equal([{ version: before.video.version, progress: 40, reached: [] }]);
  });
});
