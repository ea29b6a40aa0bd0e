/** A database that becomes silent: statements and transactions end in time, and the pool recovers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { expect } from 'chai';
import { openPool, withClient, withTransaction } from '../../src/database/database.ts';
import { classify } from '../../src/errors.ts';
import { quiet } from '../fixtures.ts';

/** In milliseconds. */
const limits = { statement: 500, lock: 300, acquire: 1_000, silent: 800 };
const SIZE = 2;

describe('a database that becomes silent', () => {
  let database: TestDatabase;
  let proxy: CuttingProxy;
  let pool: ReturnType<typeof openPool>;
  before(async () => {
    database = await testDatabase();
    proxy = await openCuttingProxy();
    proxy.forwardTo(database.poolConfig.port);
  });
  beforeEach(() => {
    proxy.cut();
    pool = openSmallPool();
  });
  afterEach(() => pool.close());
  after(async () => {
    await proxy.close();
    await database.drop();
  });

  const openSmallPool = () => {
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const config = { databaseUrl: url.href, databasePassword: database.password, databasePoolSize: SIZE };
    return openPool(config, 'test', quiet, limits);
  };
  /** The outcome of a call that must end, and when, in milliseconds. */
  const outcomeOf = async (work: Promise<unknown>): Promise<{ readonly outcome: unknown; readonly ms: number }> => {
    const from = performance.now();
    const ended = work.then(
      () => 'succeeded',
      (error: unknown) => classify(error).class,
    );
    return { outcome: await Promise.race([ended, sleep(20_000, 'hangs')]), ms: performance.now() - from };
  };
  /** Every connection of the pool works, at once. */
  const expectWhole = async (): Promise<void> => {
    const all = Array.from({ length: SIZE }, () => pool.query('SELECT pg_sleep(0.05)'));
    expect((await Promise.all(all)).length).to.equal(SIZE);
    expect({ busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }).to.deep.equal({
      busy: 0,
      waiting: 0,
    });
  };
  const uses: Readonly<Record<string, () => Promise<unknown>>> = {
    'a statement': () => pool.query('SELECT 1'),
    'a statement with a connection of its own': () => withClient(pool, (client) => client.query('SELECT 1')),
    'a transaction': () => withTransaction(pool, (client) => client.query('SELECT 1')),
  };

  for (const [what, use] of Object.entries(uses))
    it(`${what} ends as a dependency error, once, and its connection is not used again`, async () => {
      await expectWhole();
      proxy.dropResponses();
      const all = await Promise.all(Array.from({ length: SIZE }, () => outcomeOf(use())));
      expect(all.map(({ outcome }) => outcome)).to.deep.equal(Array.from({ length: SIZE }, () => 'dependency'));
      proxy.passNewConnections();
      await expectWhole();
    });

  it('a transaction whose server becomes silent halfway ends as a dependency error', async () => {
    const work = withTransaction(pool, async (client) => {
      await client.query('SELECT 1');
      proxy.dropResponses();
      await client.query('SELECT 2');
    });
    expect((await outcomeOf(work)).outcome).to.equal('dependency');
    proxy.passNewConnections();
    await expectWhole();
  });

  it('a connection that cannot be opened ends as a dependency error', async () => {
    proxy.dropResponses();
    expect((await outcomeOf(pool.query('SELECT 1'))).outcome).to.equal('dependency');
  });

  it('a statement that waits for a lock ends as a dependency error', async () => {
    await pool.query('CREATE TABLE IF NOT EXISTS locked (n int)');
    await withTransaction(pool, async (client) => {
      await client.query('LOCK TABLE locked');
      expect((await outcomeOf(pool.query('SELECT * FROM locked'))).outcome).to.equal('dependency');
    });
  });

  it('a cut pool ends its statements and waiting callers at once, and closes', async () => {
    await expectWhole();
    proxy.dropResponses();
    const all = Array.from({ length: 2 * SIZE }, () =>
      outcomeOf(withTransaction(pool, (client) => client.query('SELECT 1'))),
    );
    await sleep(50);
    pool.cut();
    const ended = await Promise.all(all);
    expect(ended.map(({ outcome }) => outcome)).to.deep.equal(all.map(() => 'dependency'));
    expect(Math.max(...ended.map(({ ms }) => ms))).to.be.below(limits.silent);
    await pool.close();
  });
}).timeout(60_000);
