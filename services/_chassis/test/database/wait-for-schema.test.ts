import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { createLogger } from '../../src/telemetry/log.ts';
import { waitForSchema, type SchemaWait } from '../../src/database/wait-for-schema.ts';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';

describe('waiting for the schema', () => {
  let dir: string;
  let database: TestDatabase;
  let client: pg.Client;
  let stop: AbortController;
  const printed: string[] = [];
  const log = createLogger('probe', 'info', { write: (line: string) => void printed.push(line) });

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'wait-for-schema-'));
    for (const name of ['0001_init', '0002_more']) mkdirSync(join(dir, 'prisma/migrations', name), { recursive: true });
    database = await testDatabase();
    client = new pg.Client(database.poolConfig);
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
    rmSync(dir, { recursive: true });
  });
  beforeEach(async () => {
    stop = new AbortController();
    printed.length = 0;
    await client.query('delete from _prisma_migrations');
  });
  afterEach(() => stop.abort());

  const apply = (name: string, finished = true): Promise<unknown> =>
    client.query('insert into _prisma_migrations (migration_name, checksum, finished_at) values ($1, $2, $3)', [
      name,
      '',
      finished ? new Date() : null,
    ]);
  const wait = (more: Partial<SchemaWait> = {}): Promise<void> =>
    waitForSchema({
      connection: database.poolConfig,
      service: 'probe',
      serviceRoot: pathToFileURL(`${dir}/`),
      timeoutMs: 20_000,
      log,
      signal: stop.signal,
      pollMs: 20,
      ...more,
    });
  const reasonOf = (waited: Promise<void>): Promise<string> =>
    waited.then(
      () => 'it is there',
      (error: Error) => error.message,
    );

  it('the wait ends at once, without a log line, if every migration of the image and further ones are applied', async () => {
    for (const name of ['0001_init', '0002_more', '0003_of_the_next_version']) await apply(name);
    await wait({ onWait: () => expect.fail('it waited') });
    expect(printed).to.deep.equal([]);
  });

  it('the missing migrations are logged once, and the wait ends when they are applied', async () => {
    await apply('0001_init');
    const reasons: string[] = [];
    const waited = wait({ onWait: (reason) => void reasons.push(reason) });
    await until(() => reasons.length > 3, { what: 'another query' });
    expect(reasons.at(-1)).to.contain('0002_more').and.not.contain('0001_init');
    expect(printed.filter((line) => line.includes('waiting for the schema'))).to.have.length(1);
    await apply('0002_more');
    await waited;
    expect(printed.at(-1)).to.contain('schema complete');
  });

  it('the missing migrations are logged again after a while', async () => {
    const waited = reasonOf(wait({ logEveryMs: 50 }));
    await until(() => printed.length >= 2, { what: 'another log line' });
    stop.abort();
    expect(await waited).to.equal('the process is stopping');
  });

  it('an unfinished or rolled back migration does not count as applied', async () => {
    await apply('0001_init', false);
    await apply('0002_more');
    await client.query(`update _prisma_migrations set rolled_back_at = now() where migration_name = '0002_more'`);
    expect(await reasonOf(wait({ timeoutMs: 0 }))).to.contain('0001_init, 0002_more');
  });

  it('the chassis’s own migrations are awaited too, even in an empty database', async () => {
    await client.query('alter table chassis.migrations rename to elsewhere');
    try {
      expect(await reasonOf(wait({ timeoutMs: 0 }))).to.match(/not applied: 0001_\w+\.sql, .*0002_more/);
    } finally {
      await client.query('alter table chassis.elsewhere rename to migrations');
    }
  });

  it('the error after the timeout has instructions', async () => {
    expect(await reasonOf(wait({ timeoutMs: 100 }))).to.match(/^the schema of probe .* run the migrations /);
  });

  it('an unreachable server is awaited and logged without the password', async () => {
    const connection = { ...database.poolConfig, port: await freePort(), password: 'hush' };
    const reason = await reasonOf(wait({ connection, timeoutMs: 100 }));
    expect(reason).to.contain('ECONNREFUSED').and.not.contain('hush');
  });

  it('the wait ends at once when the process stops', async () => {
    const waited = reasonOf(wait({ pollMs: 60_000 }));
    await until(() => printed.length > 0, { what: 'a log line' });
    stop.abort();
    expect(await waited).to.equal('the process is stopping');
  });
});
