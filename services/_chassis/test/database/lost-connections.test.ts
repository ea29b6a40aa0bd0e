/** Transactions and statements of a worker whose connections all break, as when the database restarts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { loseConnections, RESTARTS, WRITERS } from '@vds/testkit/harness/lost-connections';
import { expect } from 'chai';
import { withClient, withTransaction } from '../../src/database/database.ts';

describe('lost database connections of a worker', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  before(async () => void (database = await testDatabase()));
  after(() => database.drop());

  it(`the pool is intact after ${RESTARTS} losses of all connections under ${WRITERS} writers, and each failure is a dependency’s`, async () => {
    let turn = 0;
    const after = await loseConnections(database, 'worker', (pool) => {
      const kinds = [
        () => pool.query('SELECT pg_sleep(0.002)'),
        // The connection also breaks between two statements.
        () =>
          withTransaction(pool, async (client) => {
            await client.query('SELECT 1');
            await sleep(5);
            await client.query('SELECT 2');
          }),
        () => withClient(pool, (client) => sleep(5).then(() => client.query('SELECT 1'))),
      ];
      return async () => kinds[turn++ % kinds.length]?.();
    });
    expect(after.failed).to.be.at.least(RESTARTS);
    expect(after.defects).to.deep.equal([]);
    expect(after).to.include({ busy: 0, waiting: 0 });
  });
});
