import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, poolOptions } from '../../src/database/database.ts';
import { stuckSince, watchPool } from '../../src/database/pool-liveness.ts';
import { startHealth } from '../../src/process/health.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { quiet } from '../fixtures.ts';

const limits = { statement: 500, lock: 300, acquire: 200, silent: 700 };

describe('liveness of a database pool', () => {
  let database: TestDatabase;
  before(async () => void (database = await testDatabase()));
  after(() => database.drop());

  /** A watched pool behind a proxy, and what `/livez` answers. */
  const openWatched = async () => {
    const proxy = await openCuttingProxy();
    proxy.forwardTo(database.poolConfig.port);
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const config = { databaseUrl: url.href, databasePassword: database.password, databasePoolSize: 2 };
    const pool = openPool(config, 'test', quiet, limits);
    const connection = poolOptions(config, 'test', limits);
    const log = { ...quiet, error: () => undefined } as typeof quiet;
    const watch = watchPool(pool, { name: 'background', log, connection, everyMs: 50, stuckMs: 1_000 });
    const health = await startHealth(0, createMetrics('test'));
    health.addLiveness(watch.reasonToRestart);
    const livez = async (): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${health.port}/livez`);
      return `${response.status} ${await response.text()}`;
    };
    const close = async (): Promise<void> => {
      pool.cut();
      await Promise.all([watch.close(), health.close(), proxy.close()]);
      await pool.close();
    };
    return { pool, proxy, livez, close };
  };

  it('a pool whose connections were never given back is not live while the database answers, and live again afterwards', async () => {
    const { pool, livez, close } = await openWatched();
    const lost = await Promise.all([pool.connect(), pool.connect()]);
    expect(await livez()).to.equal('200 ok\n');
    await until(async () => (await livez()).startsWith('503'), { what: 'the process is not live' });
    expect(await livez()).to.match(/the background pool has handed out no connection for \d+ s although/);
    lost.forEach((client) => client.release());
    await until(async () => (await livez()).startsWith('200'), { what: 'the process is live again' });
    await close();
  });

  it('a process is live while its database is silent or away, and when it returns', async () => {
    const { pool, proxy, livez, close } = await openWatched();
    await pool.query('SELECT 1');
    proxy.dropResponses();
    await sleep(2_500);
    expect(await livez()).to.equal('200 ok\n');
    proxy.cut();
    await until(() => pool.query('SELECT 1'), { what: 'the database answers again' });
    expect(await livez()).to.equal('200 ok\n');
    await close();
  });

  it('a pool counts as stuck only after looks in a row that found no connection handed out and an answering server', () => {
    const look = fc.record({ handedOut: fc.boolean(), serverAnswers: fc.boolean() });
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 30 }), (looks) => {
        const since = looks.reduce<number | undefined>(
          (before, seen, at) => stuckSince(before, { ...seen, atMs: at }),
          undefined,
        );
        const lastGood = looks.findLastIndex(({ handedOut, serverAnswers }) => handedOut || !serverAnswers);
        expect(since).to.equal(lastGood === looks.length - 1 ? undefined : lastGood + 1);
      }),
    );
  });
}).timeout(60_000);
