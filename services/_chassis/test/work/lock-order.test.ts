import { expect } from 'chai';
import type { PoolClient } from '../../src/database/database.ts';
import { removeWork } from '../../src/stage/tombstones.ts';
import { cancelGroup, claim, enqueue } from '../../src/work/job-rows.ts';
import { until } from '@vds/testkit/until';
import { unit, workKit } from './work-kit.ts';

const waitingSql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe('the locks of a statement on many units', () => {
  const { pool } = workKit();

  /** Five units of a group; the first one was claimed, so that its row lies behind all others. */
  const enqueueFive = async (): Promise<void> => {
    await enqueue(
      pool(),
      ['first', 'second', 'third', 'fourth', 'last'].map((name) => unit('a', { unit: name })),
    );
    expect(await claim(pool(), 'q', 60_000)).to.include({ unit: 'first' });
  };

  const notLocked = async (): Promise<string[]> => {
    const { rows } = await pool().query<{ unit: string }>('SELECT unit FROM chassis.work FOR UPDATE SKIP LOCKED');
    return rows.map((row) => row.unit);
  };

  /** Runs `statement` while another transaction has changed a unit, and looks which units neither of them has locked. */
  const whileHeld = async <T>(
    change: string,
    statement: (client: PoolClient) => Promise<T>,
  ): Promise<{ readonly done: T; readonly free: readonly string[] }> => {
    const [holder, waiter] = [await pool().connect(), await pool().connect()];
    try {
      await holder.query(`BEGIN; ${change}`);
      const doing = statement(waiter);
      await until(async () => (await pool().query(waitingSql)).rowCount, { what: 'the statement waits' });
      const free = await notLocked();
      await holder.query('COMMIT');
      return { done: await doing, free };
    } finally {
      holder.release();
      waiter.release();
    }
  };
  const renewLast = "UPDATE chassis.work SET progress = 1 WHERE unit = 'last'";
  const states = async (): Promise<string[]> => {
    const { rows } = await pool().query<{ state: string }>('SELECT state FROM chassis.work ORDER BY id');
    return rows.map((row) => row.state);
  };

  it('are taken in the order of the ids when a group is cancelled, wherever the rows lie', async () => {
    await enqueueFive();
    expect(await whileHeld(renewLast, (client) => cancelGroup(client, 'a'))).to.deep.equal({ done: 5, free: [] });
    expect(new Set(await states())).to.deep.equal(new Set(['cancelled']));
  });

  it('are taken in the order of the ids when a group is removed, wherever the rows lie', async () => {
    await enqueueFive();
    const { free } = await whileHeld(renewLast, (client) => removeWork(client, 'a'));
    expect({ free, left: await states() }).to.deep.equal({ free: [], left: [] });
  });

  it('leave a unit alone that has ended while its cancellation waited for it', async () => {
    await enqueueFive();
    const end = "UPDATE chassis.work SET state = 'done' WHERE unit = 'third'";
    expect(await whileHeld(end, (client) => cancelGroup(client, 'a'))).to.include({ done: 4 });
    expect(await states()).to.deep.equal(['cancelled', 'cancelled', 'done', 'cancelled', 'cancelled']);
  });
});
