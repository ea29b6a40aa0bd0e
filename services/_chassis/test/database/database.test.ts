import { expect } from 'chai';
import { withTransaction } from '../../src/database/database.ts';
import { isTombstoned, addTombstone, removeWork } from '../../src/stage/tombstones.ts';
import { enqueue } from '../../src/work/work.ts';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { poolOf } from '../fixtures.ts';

describe('database', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;
  before(async () => {
    database = await testDatabase();
    pool = poolOf(database);
    await pool.query('CREATE TABLE kept (n bigint)');
  });
  after(async () => {
    await pool.close();
    await database.drop();
  });

  it('reads 64-bit integers as numbers', async () => {
    const { rows } = await pool.query('SELECT 9007199254740991::bigint AS n');
    expect(rows).to.deep.equal([{ n: 9_007_199_254_740_991 }]);
  });

  it('keeps all of a transaction or nothing', async () => {
    const failed = withTransaction(pool, async (client) => {
      await client.query('INSERT INTO kept VALUES (1)');
      throw new Error('changed my mind');
    });
    expect(await failed.catch((error: Error) => error.message)).to.equal('changed my mind');
    await withTransaction(pool, (client) => client.query('INSERT INTO kept VALUES (2)'));
    expect((await pool.query('SELECT n FROM kept')).rows).to.deep.equal([{ n: 2 }]);
  });

  it('goes on after the server ended its connections', async () => {
    await pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const alive = await pool.query('SELECT 1 AS n').catch(() => pool.query('SELECT 1 AS n'));
    expect(alive.rows).to.deep.equal([{ n: 1 }]);
  });

  it('fails a transaction whose connection the server ended between two statements, and nothing else', async () => {
    const ended = withTransaction(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const over = new Promise((resolve) => client.once('end', resolve));
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await over;
      await client.query('INSERT INTO kept VALUES (3)');
    });
    expect(await ended.catch((error: Error) => error.message)).to.match(/connection/i);
    expect((await pool.query('SELECT n FROM kept')).rows).to.deep.equal([{ n: 2 }]);
  });

  it('plants a tombstone once and removes work but for the queues named', async () => {
    await enqueue(
      pool,
      ['work', 'purge'].map((queue) => ({ queue, groupKey: 'g', attempt: 1, unit: 'u' })),
    );
    expect(await isTombstoned(pool, 'g')).to.equal(false);
    await addTombstone(pool, 'g');
    await addTombstone(pool, 'g');
    await removeWork(pool, 'g', ['purge']);
    expect(await isTombstoned(pool, 'g')).to.equal(true);
    expect((await pool.query('SELECT queue FROM chassis.work')).rows).to.deep.equal([{ queue: 'purge' }]);
  });
});
