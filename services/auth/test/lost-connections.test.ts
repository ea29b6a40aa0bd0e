/** Transactions of auth whose connections break, as all do when the database restarts. */
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { loseConnections } from '@vds/testkit/harness/lost-connections';
import { expect } from 'chai';
import { openPrisma } from '../src/outbound/prisma.ts';
import { authDatabase } from './fixtures.ts';

const RESTARTS = 20;
const WRITERS = 16;
const POOL_SIZE = 10;

describe('lost database connections of auth', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let pool: ReturnType<typeof openPool>;
  before(async () => {
    database = await authDatabase();
    const { url: databaseUrl, password: databasePassword } = database;
    const config = { databaseUrl, databasePassword, databasePoolSize: POOL_SIZE };
    pool = openPool(config, 'auth', createLogger('test', 'fatal'));
  });
  after(async () => {
    await pool.close();
    await database.drop();
  });

  it(`the pool of auth is whole after ${RESTARTS} losses of all connections under ${WRITERS} writers of transactions`, async () => {
    const prisma = openPrisma(pool);
    let turn = 0;
    const write = (): Promise<unknown> =>
      (turn += 1) % 2 === 0
        ? prisma.$transaction(async (tx) => {
            await tx.$executeRaw`SELECT pg_sleep(0.002)`;
            await tx.apiKey.count();
          })
        : prisma.$transaction([prisma.$executeRaw`SELECT pg_sleep(0.002)`, prisma.apiKey.count()]);
    const { poolConfig } = database;
    const counts = await loseConnections({
      ...{ poolConfig, application: 'auth', write, restarts: RESTARTS, writers: WRITERS },
    });
    expect(counts.failed).to.be.at.least(RESTARTS);
    expect({ busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }).to.deep.equal({
      busy: 0,
      waiting: 0,
    });
  });
});
