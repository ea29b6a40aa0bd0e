import { expect } from 'chai';
import type { PoolClient } from '../../src/database/database.ts';
import { addJobRows, cancelJobs, removeJobs } from '../../src/work/job-rows.ts';
import { claimNext } from '@vds/testkit/harness/claim-next';
import { until } from '@vds/testkit/until';
import { jobOf, workKit } from './work-kit.ts';

const waitingSql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe('lock order of statements on many jobs', () => {
  const { pool } = workKit();

  /** Five jobs of a video; the first one was claimed, so that its row is stored after all others. */
  const addFive = async (): Promise<void> => {
    await addJobRows(
      pool(),
      ['first', 'second', 'third', 'fourth', 'last'].map((name) => jobOf('a', { name })),
    );
    expect(await claimNext(pool(), 'q')).to.include({ name: 'first' });
  };

  const notLocked = async (): Promise<string[]> => {
    const { rows } = await pool().query<{ name: string }>('SELECT name FROM chassis.jobs FOR UPDATE SKIP LOCKED');
    return rows.map((row) => row.name);
  };

  /** Runs `statement` while another transaction has changed a job, and finds which jobs neither of them has locked. */
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
  const renewLast = "UPDATE chassis.jobs SET progress = 1 WHERE name = 'last'";
  const states = async (): Promise<string[]> => {
    const { rows } = await pool().query<{ state: string }>('SELECT state FROM chassis.jobs ORDER BY id');
    return rows.map((row) => row.state);
  };

  it('cancelling a video locks its jobs in the order of their ids, wherever the rows are stored', async () => {
    await addFive();
    expect(await whileHeld(renewLast, (client) => cancelJobs(client, 'a'))).to.deep.equal({ done: 5, free: [] });
    expect(new Set(await states())).to.deep.equal(new Set(['cancelled']));
  });

  it('removing a video locks its jobs in the order of their ids, wherever the rows are stored', async () => {
    await addFive();
    const { free } = await whileHeld(renewLast, (client) => removeJobs(client, 'a'));
    expect({ free, left: await states() }).to.deep.equal({ free: [], left: [] });
  });

  it('a job that ends while its cancellation waits for the lock stays done', async () => {
    await addFive();
    const end = "UPDATE chassis.jobs SET state = 'done' WHERE name = 'third'";
    expect(await whileHeld(end, (client) => cancelJobs(client, 'a'))).to.include({ done: 4 });
    expect(await states()).to.deep.equal(['cancelled', 'cancelled', 'done', 'cancelled', 'cancelled']);
  });
});
