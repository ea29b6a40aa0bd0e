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
      () => 'it went well',
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

  it('by two at once is done by one; the other waits and finds nothing new', async () => {
    const waits: string[] = [];
    const say = (line: string): void => void waits.push(line);
    const applied = (await Promise.all([run({ say }), run({ say })])).toSorted((a, b) => a.length - b.length);
    expect(applied[0]).to.deep.equal([]);
    expect(applied[1]).to.include.members(['0001_chassis.sql', '0001_init']);
    expect(waits).to.have.length(1);
    expect(waits[0]).to.match(/another migration of test_\w+ on .* is at work \(process \d+ of PostgreSQL\)/);
  });

  it('gives up the lock that another one does not give back, with its process', async () => {
    const holder = clientOf(database);
    await holder.connect();
    try {
      await holder.query(`select pg_advisory_lock(hashtext('chassis migrations'))`);
      const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
      const said = await failure(run({ lockWithinMs: 300 }));
      expect(said).to.contain('is at work').and.contain(`process ${rows[0]?.pid} of PostgreSQL`);
    } finally {
      await holder.end();
    }
  });

  it('ends its waits when it is told to stop', async () => {
    const stop = new AbortController();
    const url = urlOn(await freePort());
    const say = (): void => stop.abort();
    expect(await failure(migrate('captions', url, 'x', { reachWithinMs: 60_000, say, signal: stop.signal }))).to.equal(
      'told to stop while waiting; nothing was changed',
    );
  });

  it('waits for a server that is reached only later', async () => {
    const port = await freePort();
    let door: Server | undefined;
    const waits: string[] = [];
    const open = (line: string): void => {
      waits.push(line);
      door ??= createServer((socket) => {
        const through = connect(servers().port, servers().host);
        socket.pipe(through).pipe(socket);
        socket.on('error', () => through.destroy());
      }).listen(port, '127.0.0.1');
    };
    const applied = await migrate('captions', urlOn(port).replace(servers().host, '127.0.0.1'), login().password, {
      reachWithinMs: 20_000,
      say: open,
    });
    expect(applied).to.deep.equal([]);
    expect(waits[0]).to.contain('ECONNREFUSED').and.not.contain(login().password);
    await new Promise((resolve) => door?.close(resolve));
  });

  it('that began and did not end says what to do, and goes on once somebody has said what became of it', async () => {
    const columns = `(id, checksum, migration_name, logs, started_at, applied_steps_count)`;
    const values = `('a', 'b', '0009_broken', E'line\\ncolumn "x" does not exist', now(), 0)`;
    await within(database, `insert into _prisma_migrations ${columns} values ${values}`);
    const said = await failure(run());
    expect(said).to.contain('0009_broken of captions began at').and.contain('column "x" does not exist');
    expect(said).to.contain('deploy/tools/migrate/main.ts captions --rolled-back 0009_broken');
    const resolve = (name: string, as: 'applied' | 'rolled-back') => resolveMigration('captions', name, as, login());
    expect(await failure(resolve('0008_other', 'applied'))).to.contain('there is nothing to say of it');
    expect(await failure(resolve('0009_broken', 'applied'))).to.contain('is not among the migrations');
    await resolve('0009_broken', 'rolled-back');
    expect(await run()).to.deep.equal([]);
  });

  it('counts as applied where somebody says that all of it is there, and runs again where nothing is', async () => {
    const open = `update _prisma_migrations set finished_at = null where migration_name = '0001_init'`;
    await within(database, open);
    expect(await failure(run())).to.contain('whoever ran it was killed');
    await resolveMigration('captions', '0001_init', 'applied', login());
    expect(await run()).to.deep.equal([]);
    await within(database, open);
    await resolveMigration('captions', '0001_init', 'rolled-back', login());
    // Its tables are there: the second run is refused by PostgreSQL, which shows that it was a run.
    expect(await failure(run())).to.match(/0001_init of captions began at .* already exists/);
    await resolveMigration('captions', '0001_init', 'applied', login());
    expect(await run()).to.deep.equal([]);
  });

  it('leaves a schema alone that is newer than its files', async () => {
    const insert = `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('z', 'z', '0099_next', now())`;
    await within(database, insert);
    expect(await run()).to.deep.equal([]);
  });

  it('refuses a file that was changed after it had been applied', async () => {
    await within(database, `update _prisma_migrations set checksum = 'other' where migration_name = '0001_init'`);
    expect(await failure(run())).to.contain('0001_init of captions was changed after it had been applied');
  });
});
