/**
 * Databases and roles: `<service>_owner` owns and migrates, `<service>` reads and writes rows and nothing more; no role
 * may connect to another service's database.
 */
import { messageOf } from '@vds/chassis/errors';
import pg from 'pg';
import { databaseName, ownerRole, purposes, runtimeRole, type Installation } from '../installation.ts';
import { databaseStatements, type Check, type DatabaseNames, type Statement } from './database-statements.ts';
import { scramVerifier } from './scram.ts';
import type { ServiceName } from '../services.ts';

/** A PostgreSQL server and its administrator, who may create roles and databases. */
export type PostgresServer = {
  readonly postgres: {
    readonly host: string;
    readonly port: number;
    readonly adminUser: string;
    readonly adminPassword: string;
    /** The database that the administrator connects to; `postgres` by default. */
    readonly maintenanceDatabase?: string;
  } & Pick<pg.ClientConfig, 'ssl'>;
};

export type Login = {
  /** Without the password, as services receive it. */
  url: string;
  password: string;
};

type Sessions = { readonly in: (database: Statement['in']) => Promise<pg.Client> };

/** insufficient_privilege: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DENIED = '42501';

/** The names that the prefix gives. */
export function databaseNames(prefix: string, service: ServiceName): DatabaseNames {
  return {
    database: databaseName(prefix, service),
    owner: ownerRole(prefix, service),
    runtime: runtimeRole(prefix, service),
  };
}

/**
 * Creates the service's database and its two roles if they are missing, and sets their privileges and passwords.
 * @throws Error with one sentence, and the statement to run if the administrator lacks rights
 */
export async function provisionDatabase(
  servers: PostgresServer,
  installation: Installation,
  service: ServiceName,
  names: DatabaseNames = databaseNames(installation.name, service),
): Promise<void> {
  const verifiers = {
    owner: scramVerifier(installation.secret(purposes.owner(service))),
    runtime: scramVerifier(installation.secret(purposes.runtime(service))),
  };
  const admin = servers.postgres.adminUser;
  await withSessions(servers, names.database, async (sessions) => {
    const values = new Map<string, boolean>();
    const statements = databaseStatements(names, verifiers);
    try {
      for (const one of statements) await apply(await sessions.in(one.in), one, values, admin);
    } catch (error) {
      // The membership ends anyway.
      const leave = async (last = statements.at(-1)) => last && apply(await sessions.in(last.in), last, values, admin);
      await leave().catch((second: unknown) => {
        const left = `${admin} may still be a member of ${names.owner} (${messageOf(second)})`;
        throw new Error(`${messageOf(error)}; ${left}`, { cause: error });
      });
      throw error;
    }
  });
}

/** Connections as the administrator, opened on first use. */
async function withSessions(
  servers: PostgresServer,
  database: string,
  work: (sessions: Sessions) => Promise<void>,
): Promise<void> {
  const open = new Map<Statement['in'], pg.Client>();
  const { adminUser, maintenanceDatabase = 'postgres' } = servers.postgres;
  const connect = async (where: Statement['in']): Promise<pg.Client> => {
    const target = where === 'maintenance' ? maintenanceDatabase : database;
    const client = new pg.Client(adminConfig(servers, target));
    client.on('error', () => undefined); // the running statement reports it
    open.set(where, client);
    const [quotedDatabase, role] = [target, adminUser].map(pg.escapeIdentifier);
    await explain(client.connect(), adminUser, `grant connect on database ${quotedDatabase} to ${role}`);
    return client;
  };
  try {
    await work({ in: async (where) => open.get(where) ?? (await connect(where)) });
  } finally {
    for (const client of open.values()) await client.end();
  }
}

async function apply(
  client: pg.Client,
  one: Statement | Check,
  values: Map<string, boolean>,
  admin: string,
): Promise<void> {
  const holds = async (expression: string): Promise<boolean> =>
    (await client.query<{ holds: boolean }>(`select (${expression}) as holds`)).rows[0]?.holds === true;
  if ('fails' in one) {
    if (await holds(one.fails)) throw new Error(`${one.problem}; ${instruction(one.remedy)}`);
    return;
  }
  const { when, sql, remedy } = one;
  if (when && 'expression' in when) {
    const value = await holds(when.expression);
    if (when.as !== undefined) values.set(when.as, value);
    if (!value) return;
  } else if (when && !values.get(when.as)) return;
  await explain(client.query(sql), admin, remedy?.(admin) ?? sql);
}

/** @throws Error that names the statement for a role with more rights, if this administrator lacks them */
async function explain<T>(work: Promise<T>, admin: string, remedy: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: string };
    if (code !== DENIED) throw error;
    const reason = [messageOf(error), ...(detail === undefined ? [] : [detail.replace(/\.$/, '')])].join(': ');
    throw new Error(`PostgreSQL does not let ${admin} do this (${reason}); ${instruction(remedy)}`, { cause: error });
  }
}

function instruction(remedy: string): string {
  return `as a superuser, or as a role with the rights, run this and then provision again: ${remedy};`;
}

async function asAdmin(servers: PostgresServer, work: (client: pg.Client) => Promise<void>): Promise<void> {
  return await withSessions(servers, 'postgres', async (sessions) => await work(await sessions.in('maintenance')));
}

/** Configuration of an administrator's connection to one database. */
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

/** Removes the database and its roles. */
export async function removeDatabase(servers: PostgresServer, prefix: string, service: ServiceName): Promise<void> {
  const names = databaseNames(prefix, service);
  return await asAdmin(servers, async (client) => {
    await client.query(`drop database if exists ${pg.escapeIdentifier(names.database)} with (force)`);
    for (const role of [names.owner, names.runtime])
      await client.query(`drop role if exists ${pg.escapeIdentifier(role)}`);
  });
}

/** The credentials of the service (`runtime`) or of its migrations (`owner`). */
export function loginOf(
  { postgres }: PostgresServer,
  installation: Installation,
  service: ServiceName,
  as: 'owner' | 'runtime',
): Login {
  const names = databaseNames(installation.name, service);
  return {
    url: `postgresql://${names[as]}@${postgres.host}:${postgres.port}/${names.database}`,
    password: installation.secret(purposes[as](service)),
  };
}
