/** Transactions of auth whose connections break, as all do when the database restarts. */
import type { TestDatabase } from '@vds/testkit/harness/database';
import { loseConnections, RESTARTS, WRITERS } from '@vds/testkit/harness/lost-connections';
import { expect } from 'chai';
import { commitChange } from '../src/outbound/audit.ts';
import { createPublisher } from '../src/outbound/publishers.ts';
import { authDatabase } from './fixtures.ts';

describe('lost database connections of auth', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  before(async () => void (database = await authDatabase()));
  after(() => database.drop());

  it(`the pool of auth is intact after ${RESTARTS} losses of all connections under ${WRITERS} writers of transactions`, async () => {
    const by = { actor: 'test', reason: 'a writer' };
    const create = createPublisher([Buffer.alloc(32, 1)], { name: 'n', organization: 'o' });
    const after = await loseConnections(database, 'auth', (pool) => () => commitChange(pool, by, create));
    expect(after.failed).to.be.at.least(RESTARTS);
    expect(after.defects).to.deep.equal([]);
    expect(after).to.include({ busy: 0, waiting: 0 });
  });
});
