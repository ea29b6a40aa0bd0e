/** The databases and roles as a script for psql: the statements that provisioning runs, with their conditions. */
import { optional, readConfig, text, withDefault } from '@vds/chassis/config/config';
import pg from 'pg';
import {
  databaseStatements,
  type Check,
  type Condition,
  type DatabaseNames,
  type Statement,
} from '../database-statements.ts';
import { purposes } from '../../installation.ts';
import { readNames } from '../names.ts';
import { scramVerifier } from '../scram.ts';
import { readSecretFiles } from '../secret-files.ts';
import { requiredKeys } from '../steps.ts';

const spec = {
  secretsDir: ['SECRETS_DIR', optional(text)],
  maintenanceDatabase: ['POSTGRES_DATABASE', withDefault(text, 'postgres')],
} as const;

/** With SECRETS_DIR it sets the passwords, as verifiers that do not contain them. */
export function databaseScript(environment: Readonly<Record<string, string | undefined>>): string {
  const { secretsDir, maintenanceDatabase } = readConfig(spec, environment);
  const { databases } = readNames(environment);
  const secrets =
    secretsDir === undefined
      ? undefined
      : readSecretFiles(secretsDir, requiredKeys({ databases: databases.keys(), s3: false }));
  const parts = [...databases].map(([service, names]) => {
    const verifiers = secrets && {
      owner: scramVerifier(secrets.secret(purposes.owner(service))),
      runtime: scramVerifier(secrets.secret(purposes.runtime(service))),
    };
    return partOf(names, databaseStatements(names, verifiers), maintenanceDatabase);
  });
  return [...headOf([...databases.values()], secrets !== undefined), ...parts, ''].join('\n');
}

function headOf(databases: readonly DatabaseNames[], setsPasswords: boolean): string[] {
  const roles = databases.flatMap(({ owner, runtime }) => [owner, runtime]);
  return [
    '-- Databases with their owners and runtime roles, for psql: psql --no-psqlrc --file <this file>',
    '-- May be run again. It needs a role with CREATEROLE and CREATEDB, and no superuser.',
    ...(setsPasswords
      ? ['-- Passwords are set as SCRAM-SHA-256 verifiers, which do not contain them.']
      : [
          '-- It sets no passwords (SECRETS_DIR was not given). Set them afterwards, in psql:',
          ...roles.map((role) => `--   \\password ${pg.escapeIdentifier(role)}`),
        ]),
    '\\set ON_ERROR_STOP on',
  ];
}

function partOf({ database }: DatabaseNames, statements: readonly (Statement | Check)[], maintenance: string): string {
  const lines = [`\n-- ${database}`];
  let connected: Statement['in'] | undefined;
  for (const one of statements) {
    if (one.in !== connected)
      lines.push(`\\connect ${pg.escapeIdentifier(one.in === 'database' ? database : maintenance)}`);
    connected = one.in;
    lines.push(...('fails' in one ? [checkText(one)] : statementText(one)));
  }
  return lines.join('\n');
}

function statementText({ sql, when }: Statement): string[] {
  return when === undefined ? [`${sql};`] : [...conditionText(when), `${sql};`, '\\endif'];
}

/** Not `\gexec`, so that every statement is readable. */
function conditionText(when: Condition): string[] {
  const { as = 'holds' } = when;
  return [...('expression' in when ? [`select (${when.expression}) as ${as} \\gset`] : []), `\\if :${as}`];
}

function checkText({ fails, problem, remedy }: Check): string {
  const message = pg.escapeLiteral(`${problem}; as a role that may, run: ${remedy}`);
  return `do $check$ begin if ${fails} then raise exception '%', ${message}; end if; end $check$;`;
}
