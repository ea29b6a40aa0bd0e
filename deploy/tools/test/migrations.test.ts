import { connect, createServer, type Server } from 'node:net';
import { randomBytes } from 'node:crypto';
import { freePort } from '@vds/testkit/servers/free-port';
import { readServers } from '@vds/testkit/servers/servers-file';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { applyMigration } from '../migrate/apply-migration.ts';
import { migrate } from '../migrate/migrations.ts';

describe('migrating a database', function () {
  this.timeout(60_000);
  const servers = () => readServers().postgres;
  const database = `test_migrations_${process.pid}_${randomBytes(4).toString('hex')}`;
  const urlOn = (port: number): string => `postgresql://${servers().adminUser}@${servers().host}:${port}/${database}`;
  const login = () => ({ url: urlOn(servers().port), password: servers().adminPassword });
  const run = (more = {}) => migrate('captions', login().url, login().password, more);
  const failure = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      (error: Error) => error.message,
    );
  const clientOf = (name: string): pg.Client => {
    const { host, port, adminUser: user, adminPassword: password } = servers();
    return new pg.Client({ host, port, user, password, database: name });
  };
  const within = async (name: string, sql: string): Promise<void> => {
    const client = clientOf(name);
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };

  before(() => within('postgres', `create database ${database}`));
  after(() => within('postgres', `drop database if exists ${database} with (force)`));

  it('a migration runs once if two processes start it together: the other waits and finds nothing to do', async () => {
    const waits: string[] = [];
    const log = (line: string): void => void waits.push(line);
    const holder = clientOf(database);
    await holder.connect();
    // Held until both wait: which of them is first is left to PostgreSQL, and neither can end before the other begins.
    await holder.query(`select pg_advisory_lock(hashtext('chassis migrations'))`);
    const runs = Promise.all([run({ log }), run({ log })]);
    try {
      await until(() => waits.length === 2, { what: 'both processes wait' });
    } finally {
      await holder.end();
    }
    const applied = (await runs).toSorted((a, b) => a.length - b.length);
    expect(applied[0]).to.deep.equal([]);
    expect(applied[1]).to.include.members(['0001_chassis.sql', '0001_init']);
    for (const line of waits.slice(0, 2))
      expect(line).to.match(/another migration of test_\w+ on .* is running \(process \d+ of PostgreSQL\)/);
  });

  it('a migration fails with the process that holds the lock if that does not release it in time', async () => {
    const holder = clientOf(database);
    await holder.connect();
    try {
      await holder.query(`select pg_advisory_lock(hashtext('chassis migrations'))`);
      const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
      const message = await failure(run({ lockTimeoutMs: 300 }));
      expect(message).to.contain('is running').and.contain(`process ${rows[0]?.pid} of PostgreSQL`);
    } finally {
      await holder.end();
    }
  });

  it('a migration stops waiting for the lock when its signal aborts', async () => {
    const stop = new AbortController();
    const url = urlOn(await freePort());
    const log = (): void => stop.abort();
    expect(
      await failure(migrate('captions', url, 'x', { connectTimeoutMs: 60_000, log, signal: stop.signal })),
    ).to.equal('stopped while waiting; nothing was changed');
  });

  it('a migration waits for a server that becomes reachable later', async () => {
    const port = await freePort();
    let proxy: Server | undefined;
    const waits: string[] = [];
    const open = (line: string): void => {
      waits.push(line);
      proxy ??= createServer((socket) => {
        const through = connect(servers().port, servers().host);
        socket.pipe(through).pipe(socket);
        socket.on('error', () => through.destroy());
      }).listen(port, '127.0.0.1');
    };
    const applied = await migrate('captions', urlOn(port).replace(servers().host, '127.0.0.1'), login().password, {
      connectTimeoutMs: 20_000,
      log: open,
    });
    expect(applied).to.deep.equal([]);
    expect(waits[0]).to.contain('ECONNREFUSED').and.not.contain(login().password);
    await new Promise((resolve) => proxy?.close(resolve));
  });

  it('a migration run ignores applied migrations that are newer than its files', async () => {
    const insert = `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('z', 'z', '0099_next', now())`;
    await within(database, insert);
    expect(await run()).to.deep.equal([]);
  });

  it('a migration file that was changed after it was applied is rejected', async () => {
    await within(database, `update _prisma_migrations set checksum = 'other' where migration_name = '0001_init'`);
    expect(await failure(run())).to.contain('0001_init of captions was changed after it was applied');
  });
});

describe('applying a migration to a database in use', function () {
  this.timeout(60_000);
  const { host, port, adminUser: user, adminPassword: password } = readServers().postgres;
  const database = `test_migrations_${process.pid}_${randomBytes(4).toString('hex')}`;
  const open: pg.Client[] = [];
  const connect = async (name = database): Promise<pg.Client> => {
    const client = new pg.Client({ host, port, user, password, database: name });
    await client.connect();
    open.push(client);
    return client;
  };
  const ledger: string[] = [];
  const apply = (client: pg.Client, sql: string, log: (line: string) => void = () => {}, lockTimeoutMs = 30_000) =>
    applyMigration(
      client,
      { name: 'm', sql, record: async () => void ledger.push(sql) },
      { connectTimeoutMs: 0, lockTimeoutMs, signal: new AbortController().signal, log },
    ).then(
      () => 'applied',
      (error: Error) => error.message,
    );

  before(async () => {
    await (await connect('postgres')).query(`create database ${database}`);
    await (await connect()).query('create table videos (id int)');
  });
  beforeEach(() => void ledger.splice(0));
  after(async () => {
    const [admin, ...others] = open;
    await Promise.all(others.map((client) => client.end()));
    await admin?.query(`drop database if exists ${database} with (force)`);
    await admin?.end();
  });

  it('a migration that waits for a table lets others use it, and is applied once it is free', async () => {
    const [reader, migrator, other] = [await connect(), await connect(), await connect()];
    await reader.query('begin; select * from videos');
    const waits: string[] = [];
    const applied = apply(migrator, 'alter table videos add column title text', (line) => void waits.push(line));
    await until(() => waits.length > 0, { what: 'the migration waits' });
    // Behind a migration that waits without a limit this would wait for the reader, who ends only afterwards.
    await other.query('insert into videos (id) values (1)');
    await reader.query('commit');
    expect(await applied).to.equal('applied');
    expect(waits[0]).to.equal('waiting: m needs a lock that another session holds');
    await other.query('select title from videos');
    expect(ledger).to.have.length(1);
  });

  it('a migration that never gets its lock fails and has changed nothing', async () => {
    const [reader, migrator] = [await connect(), await connect()];
    await reader.query('begin; select * from videos');
    const sql = 'create table half (id int); alter table videos add column never text';
    expect(await apply(migrator, sql, undefined, 100)).to.contain('another session holds');
    await reader.query('commit');
    expect((await reader.query(`select to_regclass('half') as half`)).rows).to.deep.equal([{ half: null }]);
  });

  it('a migration with wrong SQL fails at once, changes nothing, and can be repeated', async () => {
    const migrator = await connect();
    const wrong = 'create table later (id int); select nothing from later';
    expect(await apply(migrator, wrong)).to.contain('column "nothing" does not exist');
    expect(ledger).to.deep.equal([]);
    expect(await apply(migrator, 'create table later (id int)')).to.equal('applied');
  });

  it('a migration is one transaction although one of its comments says concurrently', async () => {
    const migrator = await connect();
    const sql = '-- Old images write concurrently.\ncreate table remarked (id int)';
    const failing = { name: 'm', sql, record: () => Promise.reject(new Error('the ledger is unavailable')) };
    const options = { connectTimeoutMs: 0, lockTimeoutMs: 0, signal: new AbortController().signal, log: () => {} };
    expect(await applyMigration(migrator, failing, options).catch((error: Error) => error.message)).to.contain(
      'ledger',
    );
    expect((await migrator.query(`select to_regclass('remarked') as made`)).rows).to.deep.equal([{ made: null }]);
  });

  it('a migration that builds an index concurrently replaces what an interrupted build left', async () => {
    const migrator = await connect();
    await migrator.query('create table keys (id int); insert into keys values (1), (1)');
    const sql = '-- Later.\ncreate unique index concurrently keys_id on public.keys (id)';
    expect(await apply(migrator, sql)).to.contain('could not create unique index');
    const validity = async (): Promise<unknown[]> =>
      (await migrator.query(`select indisvalid from pg_index where indexrelid = to_regclass('keys_id')`)).rows;
    expect(await validity()).to.deep.equal([{ indisvalid: false }]);
    await migrator.query('truncate keys');
    expect(await apply(migrator, sql)).to.equal('applied');
    expect(await validity()).to.deep.equal([{ indisvalid: true }]);
  });
});
