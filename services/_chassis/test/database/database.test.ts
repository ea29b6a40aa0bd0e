import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { withTransaction } from '../../src/database/database.ts';
import { addTombstone, isTombstoned } from '../../src/stage/tombstones.ts';
import { addJobRows, removeJobs } from '../../src/work/job-rows.ts';
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

  it('64-bit integers are read as numbers', async () => {
    const { rows } = await pool.query('SELECT 9007199254740991::bigint AS n');
    expect(rows).to.deep.equal([{ n: 9_007_199_254_740_991 }]);
  });

  it('a transaction that fails changes nothing', async () => {
    const failed = withTransaction(pool, async (client) => {
      await client.query('INSERT INTO kept VALUES (1)');
      throw new Error('changed my mind');
    });
    expect(await failed.catch((error: Error) => error.message)).to.equal('changed my mind');
    await withTransaction(pool, (client) => client.query('INSERT INTO kept VALUES (2)'));
    expect((await pool.query('SELECT n FROM kept')).rows).to.deep.equal([{ n: 2 }]);
  });

  it('the pool reconnects after the server has closed its connections', async () => {
    await pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const alive = await pool.query('SELECT 1 AS n').catch(() => pool.query('SELECT 1 AS n'));
    expect(alive.rows).to.deep.equal([{ n: 1 }]);
  });

  it('a connection that the server ends right after its handshake fails the transaction, not the process', async () => {
    const message = (type: string, body: string): Buffer => {
      const length = Buffer.alloc(4);
      length.writeInt32BE(body.length + 4);
      return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')]);
    };
    const ready = [message('R', '\0\0\0\0'), message('Z', 'I')];
    const ended = message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0');
    const server = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([...ready, ended]))),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const broken = poolOf({ ...database, url: `postgresql://nobody@127.0.0.1:${port}/none` });
    const outcome = await withTransaction(broken, async () => 'committed').catch(() => 'failed');
    expect(outcome).to.equal('failed');
    await broken.close();
    server.close();
  });

  it('a connection closed between two statements fails its own transaction only', async () => {
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

  it('adding a tombstone twice is harmless, and removing the jobs of a video keeps its purges', async () => {
    const stages = ['encode', 'purge'];
    await addJobRows(
      pool,
      stages.map((stage) => ({ stage, queue: stage, videoId: 'v', attempt: 1, name: 'j' })),
    );
    expect(await isTombstoned(pool, 'v')).to.equal(false);
    await addTombstone(pool, 'v');
    await addTombstone(pool, 'v');
    await removeJobs(pool, 'v');
    expect(await isTombstoned(pool, 'v')).to.equal(true);
    expect((await pool.query('SELECT stage FROM chassis.jobs')).rows).to.deep.equal([{ stage: 'purge' }]);
  });
});
