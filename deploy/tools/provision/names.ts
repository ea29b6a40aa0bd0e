/** The names of an installation on its servers: those of PREFIX, except where variables name others. */
import { commaSeparated, readConfig, text, withDefault, type Reader } from '@vds/chassis/config/config';
import { bucketName, installationPrefix, userName } from '../installation.ts';
import { bucketRoles, rowOf, serviceNames, type BucketRole, type ServiceName } from '../services.ts';
import { databaseNames } from './databases.ts';
import type { DatabaseNames } from './database-statements.ts';

export type Names = {
  readonly prefix: string;
  /** The components whose databases live on this server, with their names. */
  readonly databases: ReadonlyMap<ServiceName, DatabaseNames>;
  readonly bucket: (role: BucketRole) => string;
  /** The S3 and NATS user of a component. */
  readonly user: (service: ServiceName) => string;
  /** The NATS user of a component and, while it is being replaced, the one before. */
  readonly natsUsers: (service: ServiceName) => NatsUsers;
};

export type NatsUsers = readonly [current: string, previous?: string];

type Environment = Readonly<Record<string, string | undefined>>;

const withDatabase = serviceNames.filter((service) => rowOf(service).database);

/**
 * Reads PREFIX, COMPONENTS, `<COMPONENT>_DATABASE`, `…_DATABASE_USER`, `…_DATABASE_OWNER`, `<COMPONENT>_NATS_USER` and `<ROLE>_BUCKET`.
 * @throws Error that says which of them is invalid
 */
export function readNames(environment: Environment): Names {
  const { prefix, components } = readConfig(
    { prefix: ['PREFIX', installationPrefix], components: ['COMPONENTS', commaSeparated] } as const,
    environment,
  );
  const buckets = new Map(
    bucketRoles.map((role) => [role, valueOf(environment, `${upper(role)}_BUCKET`, bucketName(prefix, role), text)]),
  );
  return {
    prefix,
    databases: new Map(
      componentsOf(components).map((service) => [service, databaseNamesOf(environment, prefix, service)]),
    ),
    bucket: (role) => buckets.get(role) ?? bucketName(prefix, role),
    user: (service) => userName(prefix, service),
    natsUsers: (service) => valueOf(environment, `${upper(service)}_NATS_USER`, [userName(prefix, service)], natsUsers),
  };
}

function componentsOf(list: readonly string[]): ServiceName[] {
  const wanted: readonly string[] = list.length > 0 ? list : withDatabase;
  const unknown = wanted.filter((name) => !(withDatabase as string[]).includes(name));
  if (unknown.length > 0)
    throw new Error(`COMPONENTS: ${unknown.join(', ')} has no database; choose from ${withDatabase.join(', ')}`);
  return withDatabase.filter((service) => wanted.includes(service));
}

function databaseNamesOf(environment: Environment, prefix: string, service: ServiceName): DatabaseNames {
  const names = databaseNames(prefix, service);
  const variable = `${upper(service)}_DATABASE`;
  return {
    database: valueOf(environment, variable, names.database, identifier),
    runtime: valueOf(environment, `${variable}_USER`, names.runtime, roleName),
    owner: valueOf(environment, `${variable}_OWNER`, names.owner, roleName),
  };
}

/** Of a database, as the chart accepts it. PostgreSQL would cut a longer one; psql reads others as more than a name. */
const identifier: Reader<string> = (value, name) => {
  const present = text(value, name);
  if (/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(present)) return present;
  throw new Error(
    `${name} must have up to 63 characters (a-z, A-Z, 0-9, _, -) and begin with a letter or _, got '${present}'`,
  );
};

/** Of a role; one of Cloud SQL for a service account has its project behind an @. */
const roleName: Reader<string> = (value, name) => {
  const [before = '', project] = text(value, name).split(/(?=@[a-z0-9.-]{1,63}$)/);
  return identifier(before, name) + (project ?? '');
};

const natsUsers: Reader<NatsUsers> = (value, name) => {
  const [current = '', previous, ...more] = text(value, name).split(',');
  const users = [current, ...(previous === undefined ? [] : [previous])];
  if (more.length === 0 && users[0] !== users[1] && users.every((user) => /^[A-Za-z0-9_-]{1,64}$/.test(user)))
    return previous === undefined ? [current] : [current, previous];
  throw new Error(
    `${name} must be one user or two different ones between commas (a-z, A-Z, 0-9, _, -), got '${value}'`,
  );
};

function valueOf<T>(environment: Environment, variable: string, otherwise: T, read: Reader<T>): T {
  return readConfig({ value: [variable, withDefault(read, otherwise)] } as const, environment).value;
}

function upper(name: string): string {
  return name.toUpperCase();
}
