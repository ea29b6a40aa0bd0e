/**
 * Databases and roles: `<service>_owner` owns and migrates, `<service>` reads and writes rows and nothing more; no role
 * may connect to another service's database.
 */
import pg from 'pg';
import { databaseName, ownerRole, purposes, runtimeRole, type Installation } from '../installation.ts';
import type { ServiceName } from '../services.ts';

/** A PostgreSQL server and its superuser. */
export type PostgresServer = {
  readonly postgres: {
    readonly host: string;
    readonly port: number;
    readonly adminUser: string;
    readonly adminPassword: string;
  } & Pick<pg.ClientConfig, 'ssl'>;
};

export type Login = {
  /** Without the password, as services receive it. */
  url: string;
  password: string;
};

/** Creates the service's database and its two roles if they are missing, and sets their privileges. */
export async function provisionDatabase(
  servers: PostgresServer,
  installation: Installation,
  service: ServiceName,
): Promise<void> {
  const database = databaseName(installation.name, service);
  const owner = ownerRole(installation.name, service);
  const runtime = runtimeRole(installation.name, service);
  await asAdmin(servers, 'postgres', async (client) => {
    await ensureRole(client, owner, installation.secret(purposes.owner(service)));
    await ensureRole(client, runtime, installation.secret(purposes.runtime(service)));
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database} owner ${owner}`);
    await client.query(`revoke all on database ${database} from public`);
    await client.query(`grant connect on database ${database} to ${runtime}`);
  });
  await asAdmin(servers, database, async (client) => {
    // For every object that the owner creates from now on, in any schema.
    const future = `alter default privileges for role ${owner} grant`;
    await client.query(`${future} usage on schemas to ${runtime}`);
    await client.query(`${future} select, insert, update, delete on tables to ${runtime}`);
    await client.query(`${future} usage, select on sequences to ${runtime}`);
  });
}

async function asAdmin(
  servers: PostgresServer,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(adminConfig(servers, database));
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Configuration of a superuser's connection to one database. */
export function adminConfig({ postgres }: PostgresServer, database: string): pg.ClientConfig {
  return {
    host: postgres.host,
    port: postgres.port,
    user: postgres.adminUser,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    password: postgres.adminPassword,
    database,
    ...(postgres.ssl !== undefined && { ssl: postgres.ssl }),
  };
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  const options = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  await client.query(`${verb} role ${role} ${options} password ${pg.escapeLiteral(password)}`);
}

/** Removes the database and its roles. */
export async function removeDatabase(servers: PostgresServer, prefix: string, service: ServiceName): Promise<void> {
  return await asAdmin(servers, 'postgres', async (client) => {
    await client.query(`drop database if exists ${databaseName(prefix, service)} with (force)`);
    await client.query(`drop role if exists ${ownerRole(prefix, service)}`);
    await client.query(`drop role if exists ${runtimeRole(prefix, service)}`);
  });
}

/** The credentials of the service (`runtime`) or of its migrations (`owner`). */
export function loginOf(
  { postgres }: PostgresServer,
  installation: Installation,
  service: ServiceName,
  as: 'owner' | 'runtime',
): Login {
  const role = as === 'owner' ? ownerRole(installation.name, service) : runtimeRole(installation.name, service);
  return {
    url: `postgresql://${role}@${postgres.host}:${postgres.port}/${databaseName(installation.name, service)}`,
    password: installation.secret(purposes[as](service)),
  };
}
