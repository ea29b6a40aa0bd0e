/** Transactions of auth whose connections break, as all do when the database restarts. */
import type { TestDatabase } from '@vds/testkit/harness/database';
import { loseConnections, RESTARTS, WRITERS } from '@vds/testkit/harness/lost-connections';
import { expect } from 'chai';
import { openPrisma } from '../src/outbound/prisma.ts';
import { authDatabase } from './fixtures.ts';

describe('lost database connections of auth', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  before(async () => void (database = await authDatabase()));
  after(() => database.drop());

  it(`the pool of auth is whole after ${RESTARTS} losses of all connections under ${WRITERS} writers of transactions`, async () => {
    let turn = 0;
    const after = await loseConnections(database, 'auth', (pool) => {
      const prisma = openPrisma(pool);
      return () =>
        (turn += 1) % 2 === 0
          ? prisma.$transaction(async (tx) => {
              await tx.$executeRaw`SELECT pg_sleep(0.002)`;
              await tx.apiKey.count();
            })
          : prisma.$transaction([prisma.$executeRaw`SELECT pg_sleep(0.002)`, prisma.apiKey.count()]);
    });
    expect(after.failed).to.be.at.least(RESTARTS);
    expect(after.defects).to.deep.equal([]);
    expect(after).to.include({ busy: 0, waiting: 0 });
  });
});
