/**
 * The statements that create a service's database, its owner and its runtime role: run by provision, and printed for a
 * database administrator. They need no superuser: on PostgreSQL 15 and newer, CREATEROLE and CREATEDB are enough.
 */
import { sessionLimits } from '@vds/chassis/database/connection';
import pg from 'pg';

export type DatabaseNames = { readonly database: string; readonly owner: string; readonly runtime: string };

/** What PostgreSQL stores of the roles' passwords; see scram.ts. */
export type Verifiers = { readonly owner: string; readonly runtime: string };

export type Condition =
  | {
      /** A boolean expression. */
      readonly expression: string;
      /** The name under which later statements find its value. */
      readonly as?: string;
    }
  | { readonly as: string };

export type Statement = {
  /** The database that it runs in: the one it creates, or the one that administrators connect to. */
  readonly in: 'maintenance' | 'database';
  /** Run only if this holds. */
  readonly when?: Condition;
  readonly sql: string;
  /** For a role with more rights, if the server refuses it to `admin`; by default the statement itself. */
  readonly remedy?: (admin: string) => string;
};

/** Fails if what exists is not as required. */
export type Check = {
  readonly in: Statement['in'];
  /** A boolean expression. */
  readonly fails: string;
  readonly problem: string;
  readonly remedy: string;
};

const JOINS = 'joins_owner';
const { escapeIdentifier: quoted, escapeLiteral: literal } = pg;

/**
 * In order; each may be repeated.
 * @param verifiers without them no password is set
 */
export function databaseStatements(names: DatabaseNames, verifiers?: Verifiers): readonly (Statement | Check)[] {
  const leave: Statement = {
    in: 'maintenance',
    when: { as: JOINS },
    sql: `revoke ${quoted(names.owner)} from current_user`,
  };
  return [
    ...roleStatements(names.owner, verifiers?.owner),
    ...roleStatements(names.runtime, verifiers?.runtime),
    ...limitStatements(names.runtime),
    joinStatement(names.owner),
    ...createStatements(names),
    ...privilegeStatements(names),
    ...privilegeChecks(names),
    leave,
  ];
}

/** Names no attribute of a role but LOGIN: naming another one takes a superuser, even to deny it. */
function roleStatements(role: string, verifier: string | undefined): (Statement | Check)[] {
  /** Without what the role has; apart, as those of the first kind can be taken away without a superuser. */
  const without = (...attributes: readonly string[]): Check => ({
    in: 'maintenance',
    fails: `exists (select from pg_roles where rolname = ${literal(role)} and (${attributes.map((name) => `rol${name}`).join(' or ')}))`,
    problem: `the role ${role} exists and has more rights than it may have`,
    remedy: `alter role ${quoted(role)} ${attributes.map((name) => `no${name}`).join(' ')}`.replace(
      'nosuper ',
      'nosuperuser ',
    ),
  });
  return [
    {
      in: 'maintenance',
      when: { expression: `not exists (select from pg_roles where rolname = ${literal(role)})` },
      sql: `create role ${quoted(role)} login`,
      remedy: (admin) => `alter role ${quoted(admin)} createrole`,
    },
    without('createdb', 'createrole'),
    without('super', 'replication', 'bypassrls'),
    ...(verifier === undefined
      ? []
      : [
          {
            in: 'maintenance' as const,
            sql: `alter role ${quoted(role)} login password ${literal(verifier)}`,
            remedy: (admin: string) => `grant ${quoted(role)} to ${quoted(admin)} with admin option`,
          },
        ]),
  ];
}

/** What a session has without asking for it, behind a pooler. */
function limitStatements(role: string): Statement[] {
  return Object.entries(sessionLimits).map(([setting, ms]) => ({
    in: 'maintenance',
    sql: `alter role ${quoted(role)} set ${setting} = ${ms}`,
    remedy: (admin) => `grant ${quoted(role)} to ${quoted(admin)} with admin option`,
  }));
}

/**
 * To create the owner's database and to act as the owner, the administrator has to be a member of it; from PostgreSQL 16
 * on, creating a role does not make one, and a membership has options. It ends with the last statement.
 */
function joinStatement(owner: string): Statement {
  const has = (right: string): string => `pg_has_role(current_user, ${literal(owner)}, '${right}')`;
  const since16 = `current_setting('server_version_num')::int >= 160000`;
  const missing = `case when ${since16} then not (${has('usage')} and ${has('set')}) else not ${has('usage')} end`;
  const grant = literal(`grant ${quoted(owner)} to current_user`);
  const options = literal(' with inherit true, set true');
  return {
    in: 'maintenance',
    when: { expression: missing, as: JOINS },
    sql: `do $join$ begin execute ${grant} || case when ${since16} then ${options} else '' end; end $join$`,
    remedy: (admin) => `grant ${quoted(owner)} to ${quoted(admin)} with admin option`,
  };
}

function createStatements({ database, owner }: DatabaseNames): (Statement | Check)[] {
  const named = `from pg_database where datname = ${literal(database)}`;
  return [
    {
      in: 'maintenance',
      when: { expression: `not exists (select ${named})` },
      sql: `create database ${quoted(database)} owner ${quoted(owner)}`,
    },
    {
      in: 'maintenance',
      fails: `exists (select ${named} and pg_get_userbyid(datdba) <> ${literal(owner)})`,
      problem: `the database ${database} exists and does not belong to ${owner}`,
      remedy: `alter database ${quoted(database)} owner to ${quoted(owner)}`,
    },
  ];
}

/** As the owner, who grants what it owns. */
function privilegeStatements({ database, owner, runtime }: DatabaseNames): Statement[] {
  // For every object that the owner creates from now on, in any schema.
  const future = `alter default privileges for role ${quoted(owner)} grant`;
  const statements = [
    `set role ${quoted(owner)}`,
    `revoke all on database ${quoted(database)} from public`,
    `grant connect on database ${quoted(database)} to ${quoted(runtime)}`,
    'revoke create on schema public from public',
    `${future} usage on schemas to ${quoted(runtime)}`,
    `${future} select, insert, update, delete on tables to ${quoted(runtime)}`,
    `${future} usage, select on sequences to ${quoted(runtime)}`,
    presentPrivileges(runtime),
    'reset role',
  ];
  return statements.map((sql) => ({ in: 'database', sql }));
}

/** For a runtime role that is newer than the tables: the same on what the owner has created until now. */
function presentPrivileges(runtime: string): string {
  const to = `to ${quoted(runtime)}`;
  return `do $present$ declare granting text; begin
  for granting in
    select format('grant usage on schema %I ${to}', nspname) from pg_namespace where nspowner = current_user::regrole
    union all select case relkind when 'S' then format('grant usage, select on sequence %s ${to}', oid::regclass)
      else format('grant select, insert, update, delete on %s ${to}', oid::regclass) end
    from pg_class where relowner = current_user::regrole and relkind in ('r', 'p', 'v', 'm', 'S')
  loop execute granting; end loop;
end $present$`;
}

/** A grant or revocation that had no effect is only a warning for PostgreSQL. */
function privilegeChecks({ database, owner, runtime }: DatabaseNames): Check[] {
  const onDatabase = (role: string): string =>
    `has_database_privilege(${literal(role)}, ${literal(database)}, 'connect')`;
  const onSchema = (role: string): string => `has_schema_privilege(${literal(role)}, 'public', 'create')`;
  const checks = [
    {
      fails: onDatabase('public'),
      problem: `every role may connect to the database ${database}`,
      remedy: `revoke all on database ${quoted(database)} from public`,
    },
    {
      fails: `not ${onDatabase(runtime)}`,
      problem: `${runtime} may not connect to the database ${database}`,
      remedy: `grant connect on database ${quoted(database)} to ${quoted(runtime)}`,
    },
    {
      fails: onSchema(runtime),
      problem: `${runtime} may create tables in the schema public of the database ${database}`,
      remedy: 'revoke create on schema public from public',
    },
    {
      fails: `not ${onSchema(owner)}`,
      problem: `${owner} may not create tables in the schema public of the database ${database}`,
      remedy: `grant usage, create on schema public to ${quoted(owner)}`,
    },
  ];
  return checks.map((check) => ({ in: 'database', ...check }));
}
