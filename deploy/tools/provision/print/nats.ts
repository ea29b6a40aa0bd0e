/** The account with its users as a server of NATS reads it, and the same for `nsc`. */
import { natsPrefix } from '@vds/chassis/bus/names';
import { optional, readConfig, text, withDefault } from '@vds/chassis/config/config';
import { purposes, type Installation } from '../../installation.ts';
import type { ServiceName } from '../../services.ts';
import { accountBlock, permissionsOf, servicesWithNatsUser, type NatsLogin } from '../nats-account.ts';
import { readNames } from '../names.ts';
import { PREVIOUS, readSecretFiles } from '../secret-files.ts';

/**
 * With SECRETS_DIR it has the passwords, else variables of the server's environment. A component with two users has both:
 * the second with its password in PREVIOUS_SECRETS_DIR.
 */
export function natsAccount(environment: Readonly<Record<string, string | undefined>>): string {
  const names = readNames(environment);
  const { secretsDir, previousSecretsDir, subjectPrefix } = readConfig(
    {
      secretsDir: ['SECRETS_DIR', optional(text)],
      previousSecretsDir: [PREVIOUS, optional(text)],
      subjectPrefix: ['NATS_PREFIX', withDefault(natsPrefix, names.prefix)],
    } as const,
    environment,
  );
  const account = (names.prefix || 'vds').toUpperCase().replaceAll('-', '_');
  const replaced = servicesWithNatsUser.filter((service) => names.natsUsers(service)[1] !== undefined);
  const files = secretsDir !== undefined;
  const current = files ? withFiles(secretsDir, servicesWithNatsUser) : withVariables('');
  const previous = files ? withFiles(previousSecretsDir, replaced, PREVIOUS) : withVariables('PREVIOUS_');
  const logins = servicesWithNatsUser.flatMap((service) =>
    names.natsUsers(service).flatMap((user, turn): NatsLogin[] => {
      const password = (turn === 0 ? current : previous).secret(purposes.nats(service));
      return user === undefined ? [] : [{ service, user, password }];
    }),
  );
  return [
    '# One account with JetStream and a user for each component, for the block `accounts` of nats.conf. Of other accounts,',
    '# put it into their block: a second block `accounts` replaces the first, even if it is included from another file.',
    ...(secretsDir === undefined
      ? [
          '# Passwords are variables of the server, quoted inside the value, or 1234e5 is read as a number:',
          `#   ${variableOf('catalog')}='"…"'`,
        ]
      : []),
    'accounts {',
    `  ${account} {`,
    unquoted(accountBlock(current, { subjectPrefix, logins })),
    '  }',
    '}',
    '',
    ...nscText(account, logins, subjectPrefix),
    '',
  ].join('\n');
}

function withFiles(folder: string | undefined, services: readonly ServiceName[], variable?: string): Installation {
  return readSecretFiles(folder, new Map(services.map((service) => [service, ['NATS_PASSWORD']])), '', variable);
}

function withVariables(before: string): Installation {
  const variables = servicesWithNatsUser.map(
    (service) => [purposes.nats(service), variableOf(service, before)] as const,
  );
  const found = new Map(variables);
  return { name: '', secret: (purpose) => `$${found.get(purpose) ?? ''}` };
}

function variableOf(service: ServiceName, before = ''): string {
  return `${service.toUpperCase()}_${before}NATS_PASSWORD`;
}

/** The server replaces a variable only outside of quotes. */
function unquoted(block: string): string {
  return block.replaceAll(/"(\$[A-Z_]+_NATS_PASSWORD)"/g, '$1');
}

/** Where users are credentials (JWT and nkey), their permissions are in these. */
function nscText(account: string, logins: readonly NatsLogin[], prefix: string): string[] {
  const list = (subjects: readonly string[]): string => `'${subjects.join(',')}'`;
  return [
    '# In operator mode, with users as credentials instead of passwords (the key NATS_CREDS of each Secret):',
    `#   nsc add account --name ${account}`,
    `#   nsc edit account --name ${account} --js-disk-storage -1 --js-mem-storage -1 --js-streams -1 --js-consumer -1`,
    ...logins.flatMap(({ service, user: name }) => {
      const { publish, subscribe } = permissionsOf(service, { prefix });
      const user = `--account ${account} --name ${name}`;
      return [
        `#   nsc add user ${user} --allow-pub ${list(publish.allow)}${publish.deny.length > 0 ? ` --deny-pub ${list(publish.deny)}` : ''} --allow-sub ${list(subscribe.allow)}`,
        `#   nsc generate creds ${user} > ${service}/NATS_CREDS`,
      ];
    }),
  ];
}
