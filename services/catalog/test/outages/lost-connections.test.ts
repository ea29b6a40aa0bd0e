/** Transactions whose connections break, as all do when the database restarts. */
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { loseConnections, RESTARTS, WRITERS } from '@vds/testkit/harness/lost-connections';
import { expect } from 'chai';
import { setBudgets } from '../../src/outbound/usage.ts';
import { serviceFolder } from '../service/process.ts';

describe('lost database connections', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  before(async () => void (database = await testDatabase(serviceFolder)));
  after(() => database.drop());

  it(`the pool is intact after ${RESTARTS} losses of all connections under ${WRITERS} writers of transactions`, async () => {
    const by = { actor: 'test', reason: 'a writer' };
    let writes = 0;
    const after = await loseConnections(database, 'catalog', (pool) => () => {
      writes += 1;
      return setBudgets(pool, `publisher-${writes % WRITERS}`, { mediaMinutes: writes }, by);
    });
    expect(after.failed).to.be.at.least(RESTARTS);
    expect(after.defects).to.deep.equal([]);
    expect(after).to.include({ busy: 0, waiting: 0 });
  });
});
