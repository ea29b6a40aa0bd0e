import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { expect } from 'chai';
import { openPool, poolOptions } from '../../src/database/database.ts';
import { reasonToRestart } from '../../src/database/pool-liveness.ts';
import { quiet } from '../fixtures.ts';

const limits = { statement: 500, lock: 300, acquire: 1_000, silent: 700 };

describe('liveness of a database pool', () => {
  let database: TestDatabase;
  before(async () => void (database = await testDatabase()));
  after(() => database.drop());

  /** A pool behind a proxy with the test's clock, and its liveness check. */
  const openChecked = async () => {
    const proxy = await openCuttingProxy();
    proxy.forwardTo(database.poolConfig.port);
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const config = { databaseUrl: url.href, databasePassword: database.password, databasePoolSize: 2 };
    const pool = openPool(config, 'test', quiet, limits);
    const clock = { now: 0 };
    const check = reasonToRestart(pool, poolOptions(config, 'test', limits), () => clock.now);
    const close = async (): Promise<void> => {
      pool.cut();
      await proxy.close();
      await pool.close();
    };
    return { pool, proxy, check, clock, close };
  };

  it('a pool whose connections are never released is not live after a minute, and live again afterwards', async () => {
    const { pool, check, clock, close } = await openChecked();
    const lost = await Promise.all([pool.connect(), pool.connect()]);
    const waiting = Promise.allSettled([pool.query('SELECT 1')]);
    clock.now = 59_999;
    expect(await check()).to.equal(undefined);
    clock.now = 60_000;
    expect(await check()).to.match(/no connection for a minute although the database answers/);
    lost.forEach((client) => client.release());
    await waiting;
    expect(await check()).to.equal(undefined);
    await close();
  });

  it('a process is live while its database is silent, and while nobody wants a connection', async () => {
    const { pool, proxy, check, clock, close } = await openChecked();
    await pool.query('SELECT 1');
    clock.now = 60_000;
    expect(await check()).to.equal(undefined);
    proxy.dropResponses();
    const waiting = Promise.allSettled([1, 2, 3].map(() => pool.query('SELECT 1')));
    clock.now = 120_000;
    expect(await check()).to.equal(undefined);
    await waiting;
    await close();
  });
}).timeout(20_000);
