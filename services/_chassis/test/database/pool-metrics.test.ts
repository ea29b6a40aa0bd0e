/** What the metrics of a database pool report. */
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { openWatchedPool } from '../../src/database/database.ts';
import { startHealth } from '../../src/process/health.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { quiet } from '../fixtures.ts';

describe('metrics of a database pool', () => {
  let database: TestDatabase;
  before(async () => void (database = await testDatabase()));
  after(() => database.drop());

  it('connection metrics count callers waiting for a busy connection, not those that get an idle one at once, as a metric read from the database does', async () => {
    const metrics = createMetrics('test');
    const health = await startHealth(0, metrics, quiet);
    const closings: (() => Promise<void>)[] = [];
    const own = <T extends { close: () => Promise<void> | void }>(_name: string, resource: T): T => {
      closings.unshift(async () => resource.close());
      return resource;
    };
    let readNow = async (): Promise<unknown> => undefined;
    metrics.gauge('vds_read_before', 'Read from the database', [], async () => void (await readNow()));
    const config = { databaseUrl: database.url, databasePassword: database.password, databasePoolSize: 2 };
    const deps = { config, log: quiet, health, metrics, forceClose: new AbortController().signal, own };
    const pool = openWatchedPool(deps as never, 'test', 'background', 2);
    const shown = async (state: string): Promise<string | undefined> =>
      new RegExp(`^vds_database_connections{pool="background",state="${state}"\\S* (\\d+)$`, 'm').exec(
        await metrics.registry.metrics(),
      )?.[1];
    try {
      await Promise.all([pool.query('SELECT pg_sleep(0.1)'), pool.query('SELECT pg_sleep(0.1)')]);
      // The second connection may be opened after the first one has served both.
      await until(async () => (await shown('idle')) === '2', { what: 'two idle connections' });
      readNow = () => pool.query('SELECT 1');
      expect(await shown('waited_for')).to.equal('0');
      readNow = async () => undefined;
      const held = await Promise.all([pool.connect(), pool.connect()]);
      const waiting = Promise.all([pool.query('SELECT 1'), pool.query('SELECT 1'), pool.query('SELECT 1')]);
      expect([await shown('busy'), await shown('waited_for')]).to.deep.equal(['2', '3']);
      held.forEach((client) => client.release());
      await waiting;
    } finally {
      for (const close of closings) await close();
      await health.close();
    }
  });
});
