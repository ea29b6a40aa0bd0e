import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { newerPostgres } from '@vds/testkit/programs/newer-postgres';
import {
  MANAGED_ADMIN,
  queryAs,
  startManagedPostgres,
  type ManagedPostgres,
} from '@vds/testkit/harness/managed-postgres';
import { postgresClient } from '@vds/testkit/servers/postgres';
import { skipBecause } from '@vds/testkit/skip';
import { purposes } from '../installation.ts';
import { migrate } from '../migrate/migrations.ts';
import { loginOf, provisionDatabase, type PostgresServer } from '../provision/databases.ts';
import type { DatabaseNames } from '../provision/database-statements.ts';
import { printed } from '../provision/print/print.ts';

function secret(purpose: string): string {
  return `the ${purpose}`;
}
const installation = { name: '', secret };
const role = pg.escapeIdentifier(MANAGED_ADMIN);
const main = fileURLToPath(new URL('../provision/main.ts', import.meta.url));

for (const version of ['the installed PostgreSQL', 'PostgreSQL 18']) {
  const isNewer = version === 'PostgreSQL 18';

  describe(`provisioning ${version} with the administrator of a managed service`, function () {
    this.timeout(60_000);
    let server: ManagedPostgres;

    before(async function () {
      const programs = isNewer
        ? ((await newerPostgres()) ?? skipBecause(this, 'npm cannot provide PostgreSQL 18'))
        : undefined;
      server = await startManagedPostgres(programs);
    });
    const dir = mkdtempSync(join(tmpdir(), 'managed-postgres-'));
    after(async () => {
      await server?.close();
      rmSync(dir, { recursive: true });
    });
    /** The Secret of catalog as files. */
    const secretFiles = (): string => {
      mkdirSync(join(dir, 'catalog'));
      for (const key of ['DATABASE_PASSWORD', 'DATABASE_OWNER_PASSWORD'])
        writeFileSync(join(dir, 'catalog', key), `the ${key}`);
      return dir;
    };

    const provision = (name: string, as: PostgresServer = server.admin, names?: DatabaseNames): Promise<void> =>
      provisionDatabase(as, { name, secret }, 'catalog', names);
    const isMember = async (owner: string): Promise<unknown> =>
      (await server.query(`select pg_has_role('${MANAGED_ADMIN}', '${owner}', 'usage') as member`))[0]?.['member'];
    const as = (name: string, who: 'owner' | 'runtime', statement: string): Promise<unknown> => {
      const { url, password } = loginOf(server.admin, { name, secret }, 'catalog', who);
      const { username: adminUser, pathname } = new URL(url);
      const { host, port } = server.admin.postgres;
      return queryAs({ postgres: { host, port, adminUser, adminPassword: password } }, statement, pathname.slice(1));
    };
    const refusal = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'nothing was refused',
        (error: Error) => error.message,
      );
    const psql = (script: string): Promise<unknown> => {
      const { host, port, adminUser, adminPassword } = server.admin.postgres;
      const login = ['-h', host, '-p', String(port), '-U', adminUser, '-d', 'postgres'];
      const options = { env: { ...process.env, PGPASSWORD: adminPassword } };
      const run = promisify(execFile)(postgresClient('psql'), ['--no-psqlrc', '--quiet', ...login], options);
      run.child.stdin?.end(script);
      return run;
    };
    /** Does what each error says, as the superuser, until provisioning succeeds; returns the errors. */
    const followed = async (name: string, database = 'postgres'): Promise<string[]> => {
      const said: string[] = [];
      while (said.length < 6) {
        const message = await refusal(provision(name));
        if (message === 'nothing was refused') break;
        said.push(message);
        const statement = /provision again: (.+);$/.exec(message)?.[1];
        expect(statement, message).to.be.a('string');
        await server.query(statement ?? '', database);
      }
      return said;
    };

    it(`${version} is provisioned twice in a row by an administrator that is not a superuser, and then by a superuser and again`, async () => {
      await provision('');
      await provision('');
      await provision('', server.superuser);
      await provision('');
      const { url, password } = loginOf(server.admin, installation, 'catalog', 'owner');
      expect(await migrate('catalog', url, password)).not.to.deep.equal([]);
      await provision('');
      expect(await migrate('catalog', url, password)).to.deep.equal([]);
    });
    it(`on ${version} the runtime role uses what the owner migrates, and creates and changes no table`, async () => {
      await as('', 'runtime', `insert into chassis.outbox (subject, message_id, payload) values ('a', 'b', '')`);
      for (const statement of [
        'create table public.mine (id int)',
        'create schema mine',
        'create temporary table mine (id int)',
        'alter table chassis.outbox add column mine int',
      ])
        expect(await refusal(as('', 'runtime', statement)), statement).to.match(/permission denied|must be owner/);
    });
    it(`on ${version} a session of the runtime role is limited although it asks for nothing`, async () => {
      expect(await as('', 'runtime', 'show statement_timeout')).to.deep.equal([{ statement_timeout: '30s' }]);
      expect(await as('', 'runtime', 'show lock_timeout')).to.deep.equal([{ lock_timeout: '10s' }]);
      expect(await as('', 'owner', 'show statement_timeout')).to.deep.equal([{ statement_timeout: '0' }]);
    });
    it(`on ${version} a second runtime role may do on the tables of the present what the first may, and both at once`, async () => {
      const names = { database: 'catalog', owner: 'catalog_owner', runtime: 'catalog_b' };
      await provision('', server.admin, names);
      const { host, port } = server.admin.postgres;
      const login = {
        postgres: { host, port, adminUser: 'catalog_b', adminPassword: secret(purposes.runtime('catalog')) },
      };
      const row = `insert into chassis.outbox (subject, message_id, payload) values ('a', 'b', '')`;
      for (const statement of [row, 'delete from videos', 'select from _prisma_migrations'])
        for (const who of [login, undefined])
          await (who ? queryAs(who, statement, 'catalog') : as('', 'runtime', statement));
      expect(await refusal(queryAs(login, 'create table public.mine (id int)', 'catalog'))).to.include('denied');
    });
    it(`on ${version} the administrator is not a member of the owner before and after provisioning`, async () => {
      await provision('left');
      expect(await isMember('left_catalog_owner')).to.equal(false);
      await server.query('create database taken_catalog owner admin');
      expect(await refusal(provision('taken'))).to.include('does not belong to taken_catalog_owner');
      expect(await isMember('taken_catalog_owner'), 'after a failure').to.equal(false);
    });
    it(`on ${version} the administrator takes away by the printed statement what a role has too much`, async () => {
      await queryAs(server.admin, 'create role rich_catalog login createdb', 'postgres');
      const said = await refusal(provision('rich'));
      const [, remedy = ''] = /provision again: (alter role .*?);/.exec(said) ?? [];
      expect(said).to.include('has more rights than it may have');
      await queryAs(server.admin, remedy, 'postgres');
      await provision('rich');
    });
    it(`on ${version} a membership of the owner that the administrator had before provisioning stays`, async () => {
      await provision('kept');
      await server.query(`grant kept_catalog_owner to ${role}${isNewer ? ' with inherit true, set true' : ''}`);
      await provision('kept');
      expect(await isMember('kept_catalog_owner')).to.equal(true);
    });
    it(`${version} is provisioned under names of one’s own, quoted, and a prefix with dashes`, async () => {
      const names = { database: 'Video Catalog', owner: 'video-owner', runtime: 'video-app' };
      await provision('', server.admin, names);
      await provision('', server.admin, names);
      await provision('vod-eu');
      const found = await server.query(
        `select datname from pg_database where datname in ('Video Catalog', 'vod_eu_catalog')`,
      );
      expect(found).to.have.length(2);
    });
    it(`on ${version} the SQL that provision prints runs twice in psql, and provisioning then changes nothing`, async () => {
      const script = printed('sql', { PREFIX: 'script', COMPONENTS: 'catalog' }) ?? '';
      await psql(script);
      await psql(script);
      expect(await isMember('script_catalog_owner')).to.equal(false);
      const defaults = `select defaclacl::text from pg_default_acl order by 1`;
      const before = await server.query(defaults, 'script_catalog');
      expect(before).to.have.length(3);
      await provision('script');
      expect(await server.query(defaults, 'script_catalog')).to.deep.equal(before);
    });
    it(`on ${version} provisioning stops at roles that a superuser made with a sentence whose statement helps`, async () => {
      await server.query('create role made_catalog_owner; create role made_catalog login');
      const said = await followed('made');
      // Until PostgreSQL 15, CREATEROLE is enough to alter every role without special attributes.
      if (isNewer)
        expect(said[0]).to.match(/^PostgreSQL does not let cloud-admin do this \(.*permission denied[^\n]*$/);
      else expect(said).to.deep.equal([]);
      expect(await as('made', 'runtime', 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    });
    it(`on ${version} provisioning stops at a database of another role with a sentence whose statement helps`, async () => {
      await server.query('create database other_catalog owner admin');
      const said = await followed('other');
      expect(said).to.have.length(1);
      expect(said[0]).to.match(
        /^the database other_catalog exists and does not belong to other_catalog_owner; [^\n]+$/,
      );
    });
    it(`on ${version} provisioning stops at a role with more rights than it may have with a sentence whose statement helps`, async () => {
      await server.query('create role strong_catalog login createdb bypassrls');
      const said = await followed('strong');
      expect(said[0]).to.include('the role strong_catalog exists and has more rights than it may have');
      const [found] = await server.query(
        `select rolcreatedb or rolbypassrls as strong from pg_roles where rolname = 'strong_catalog'`,
      );
      expect(found).to.deep.equal({ strong: false });
    });
    it(`on ${version} provisioning stops at a schema in which every role creates with a sentence whose statement helps`, async () => {
      await provision('old');
      await server.query('alter schema public owner to admin; grant create on schema public to public', 'old_catalog');
      const said = await followed('old', 'old_catalog');
      expect(said[0]).to.include('old_catalog may create tables in the schema public of the database old_catalog');
      expect(await refusal(as('old', 'runtime', 'create table public.mine (id int)'))).to.include('permission denied');
      await as('old', 'owner', 'create table public.mine (id int)');
    });
    it(`on ${version} an administrator that may not create databases gets the statement that does`, async () => {
      await server.query(`alter role ${role} nocreatedb`);
      const message = await refusal(provision('none'));
      await server.query(`alter role ${role} createdb`);
      expect(message).to.match(
        /^PostgreSQL does not let cloud-admin do this \(permission denied to create database\); [^\n]+$/,
      );
      expect(message).to.include('create database "none_catalog" owner "none_catalog_owner";');
    });
    it(`on ${version} the program ends with exit code 0, or with 1 and only the sentence`, async () => {
      const { host, port, adminUser, adminPassword } = server.admin.postgres;
      await server.query('create database maintenance');
      const environment = {
        ...{ SECRETS_DIR: secretFiles(), PREFIX: 'cli', COMPONENTS: 'catalog', POSTGRES_DATABASE: 'maintenance' },
        ...{
          POSTGRES_HOST: host,
          POSTGRES_PORT: String(port),
          POSTGRES_USER: adminUser,
          POSTGRES_PASSWORD: adminPassword,
        },
      };
      const run = () => spawnSync(process.execPath, [main], { env: environment, encoding: 'utf8' });
      const { status, stdout, stderr } = run();
      expect([status, stderr], stdout).to.deep.equal([0, '']);
      await server.query('alter database cli_catalog owner to admin');
      const second = run();
      expect(second.status).to.equal(1);
      expect(second.stderr).to.match(
        /^provision: database cli_catalog of cli_catalog_owner: the database cli_catalog exists and does not belong to cli_catalog_owner; [^\n]+;\n$/,
      );
    });
    if (isNewer)
      it(`on ${version} createrole_self_grant decides whether the administrator remains a member of the roles it creates`, async () => {
        await server.query(`alter role ${role} set createrole_self_grant = 'set, inherit'`);
        await provision('self');
        await provision('self');
        await server.query(`alter role ${role} reset createrole_self_grant`);
        expect(await isMember('self_catalog_owner')).to.equal(true);
      });
  });
}
