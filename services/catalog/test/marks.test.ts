/** Writes to one stage alone: they meet only the stage that they were decided for. */
import { openPool } from '@vds/shared/database';
import { createLogger } from '@vds/shared/log';
import { expect } from 'chai';
import type { Mark } from '../src/domain/facts.ts';
import { openPrisma } from '../src/outbound/prisma.ts';
import { openVideoStore } from '../src/outbound/video-store.ts';
import { commonHouse } from './common-house.ts';
import type { House } from './house.ts';
import { actOn } from './partner.ts';
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
        return { kind: 'mark', before, status: { ...before, state: 'started', progress: 40 } } satisfies Mark;
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
});
