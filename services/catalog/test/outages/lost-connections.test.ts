/** Transactions whose connections break, as all do when the database restarts. */
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { loseConnections } from '@vds/testkit/harness/lost-connections';
import { expect } from 'chai';
import { openPrisma } from '../../src/outbound/prisma.ts';
import { serviceFolder } from '../service/process.ts';

const RESTARTS = 20;
const WRITERS = 16;
const POOL_SIZE = 10;

describe('lost database connections', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let pool: ReturnType<typeof openPool>;
  before(async () => {
    database = await testDatabase(serviceFolder);
    const { url: databaseUrl, password: databasePassword } = database;
    const config = { databaseUrl, databasePassword, databasePoolSize: POOL_SIZE };
    pool = openPool(config, 'catalog', createLogger('test', 'fatal'));
  });
  after(async () => {
    await pool.close();
    await database.drop();
  });

  it(`the pool is whole after ${RESTARTS} losses of all connections under ${WRITERS} writers of transactions`, async () => {
    const prisma = openPrisma(pool);
    const write = () =>
      prisma.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT pg_sleep(0.002)`;
        await tx.$queryRaw`SELECT count(*)::int FROM videos`;
      });
    const { poolConfig } = database;
    const counts = await loseConnections({
      ...{ poolConfig, application: 'catalog', write, restarts: RESTARTS, writers: WRITERS },
    });
    expect(counts.failed).to.be.at.least(RESTARTS);
    expect({ busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }).to.deep.equal({
      busy: 0,
      waiting: 0,
    });
  });
});
