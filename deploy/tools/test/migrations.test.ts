import { connect, createServer, type Server } from 'node:net';
import { randomBytes } from 'node:crypto';
import { freePort } from '@vds/testkit/servers/free-port';
import { readServers } from '@vds/testkit/servers/servers-file';
import { expect } from 'chai';
import pg from 'pg';
import { migrate, resolveMigration } from '../migrate/migrations.ts';

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
    const applied = (await Promise.all([run({ log }), run({ log })])).toSorted((a, b) => a.length - b.length);
    expect(applied[0]).to.deep.equal([]);
    expect(applied[1]).to.include.members(['0001_chassis.sql', '0001_init']);
    expect(waits).to.have.length(1);
    expect(waits[0]).to.match(/another migration of test_\w+ on .* is running \(process \d+ of PostgreSQL\)/);
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

  it('an unfinished migration fails the next run with instructions, and runs continue once it is resolved', async () => {
    const columns = `(id, checksum, migration_name, logs, started_at, applied_steps_count)`;
    const values = `('a', 'b', '0009_broken', E'line\\ncolumn "x" does not exist', now(), 0)`;
    await within(database, `insert into _prisma_migrations ${columns} values ${values}`);
    const message = await failure(run());
    expect(message).to.contain('0009_broken of captions started at').and.contain('column "x" does not exist');
    expect(message).to.contain('deploy/tools/migrate/main.ts captions --rolled-back 0009_broken');
    const resolve = (name: string, as: 'applied' | 'rolled-back') => resolveMigration('captions', name, as, login());
    expect(await failure(resolve('0008_other', 'applied'))).to.contain('there is nothing to resolve');
    expect(await failure(resolve('0009_broken', 'applied'))).to.contain('is not among the migrations');
    await resolve('0009_broken', 'rolled-back');
    expect(await run()).to.deep.equal([]);
  });

  it('a migration resolved as applied counts as applied, and one resolved as rolled back runs again', async () => {
    const open = `update _prisma_migrations set finished_at = null where migration_name = '0001_init'`;
    await within(database, open);
    expect(await failure(run())).to.contain('its process was killed');
    await resolveMigration('captions', '0001_init', 'applied', login());
    expect(await run()).to.deep.equal([]);
    await within(database, open);
    await resolveMigration('captions', '0001_init', 'rolled-back', login());
    // Its tables exist: PostgreSQL rejects the second run, which proves that it ran.
    expect(await failure(run())).to.match(/0001_init of captions started at .* already exists/);
    await resolveMigration('captions', '0001_init', 'applied', login());
    expect(await run()).to.deep.equal([]);
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
