/** Transactions whose connections break, as all do when the database restarts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { openPrisma } from '../../src/outbound/prisma.ts';
import { serviceFolder } from './process.ts';

const RESTARTS = 20;
const WRITERS = 16;
const POOL_SIZE = 10;

describe('lost database connections', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let admin: pg.Client;
  let pool: ReturnType<typeof openPool>;
  before(async () => {
    database = await testDatabase(serviceFolder);
    admin = new pg.Client(database.poolConfig);
    await admin.connect();
    const { url: databaseUrl, password: databasePassword } = database;
    const config = { databaseUrl, databasePassword, databasePoolSize: POOL_SIZE };
    pool = openPool(config, 'catalog', createLogger('test', 'fatal'));
  });
  after(async () => {
    await pool.close();
    await admin.end();
    await database.drop();
  });

  it(`the pool is whole after ${RESTARTS} losses of all connections under ${WRITERS} writers of transactions`, async () => {
    const prisma = openPrisma(pool);
    const stopping = new AbortController();
    const counts = { committed: 0, failed: 0 };
    const write = async (): Promise<void> => {
      while (!stopping.signal.aborted)
        await prisma
          .$transaction(async (tx) => {
            await tx.$executeRaw`SELECT pg_sleep(0.002)`;
            await tx.$queryRaw`SELECT count(*)::int FROM videos`;
          })
          .then(
            () => (counts.committed += 1),
            () => (counts.failed += 1),
          );
    };
    const writers = Array.from({ length: WRITERS }, write);
    try {
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        const before = counts.committed;
        await until(() => counts.committed >= before + WRITERS, { what: `commits after ${restart} losses` });
        await sleep(restart);
        await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'catalog'`);
      }
    } finally {
      stopping.abort();
      await Promise.all(writers);
    }
    expect(counts.failed).to.be.at.least(RESTARTS);
    expect({ busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }).to.deep.equal({
      busy: 0,
      waiting: 0,
    });
  });
});
