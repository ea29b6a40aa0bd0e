/** Transactions whose connections break, as all do when the database restarts. */
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { loseConnections, RESTARTS, WRITERS } from '@vds/testkit/harness/lost-connections';
import { expect } from 'chai';
import { openPrisma } from '../../src/outbound/prisma.ts';
import { serviceFolder } from '../service/process.ts';

describe('lost database connections', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  before(async () => void (database = await testDatabase(serviceFolder)));
  after(() => database.drop());

  it(`the pool is whole after ${RESTARTS} losses of all connections under ${WRITERS} writers of transactions`, async () => {
    const after = await loseConnections(database, 'catalog', (pool) => {
      const prisma = openPrisma(pool);
      return () =>
        prisma.$transaction(async (tx) => {
          await tx.$executeRaw`SELECT pg_sleep(0.002)`;
          await tx.$queryRaw`SELECT count(*)::int FROM videos`;
        });
    });
    expect(after.failed).to.be.at.least(RESTARTS);
    expect(after.defects).to.deep.equal([]);
    expect(after).to.include({ busy: 0, waiting: 0 });
  });
});
