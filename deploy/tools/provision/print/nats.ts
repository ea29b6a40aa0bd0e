/** The account with its users as a server of NATS reads it, and the same for `nsc`. */
import { natsPrefix } from '@vds/chassis/bus/names';
import { optional, readConfig, text, withDefault } from '@vds/chassis/config/config';
import { purposes, type Installation } from '../../installation.ts';
import type { ServiceName } from '../../services.ts';
import { accountBlock, permissionsOf, servicesWithNatsUser } from '../nats-account.ts';
import { readNames, type Names } from '../names.ts';
import { readSecretFiles } from '../secret-files.ts';

/** With SECRETS_DIR it has the passwords, else variables of the server's environment. */
export function natsAccount(environment: Readonly<Record<string, string | undefined>>): string {
  const names = readNames(environment);
  const { secretsDir, subjectPrefix } = readConfig(
    {
      secretsDir: ['SECRETS_DIR', optional(text)],
      subjectPrefix: ['NATS_PREFIX', withDefault(natsPrefix, names.prefix)],
    } as const,
    environment,
  );
  const account = (names.prefix || 'vds').toUpperCase().replaceAll('-', '_');
  const installation = secretsDir === undefined ? withVariables(names.prefix) : withFiles(secretsDir, names.prefix);
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
    unquoted(accountBlock(installation, { subjectPrefix })),
    '  }',
    '}',
    '',
    ...nscText(account, names, subjectPrefix),
    '',
  ].join('\n');
}

function withFiles(folder: string, prefix: string): Installation {
  return readSecretFiles(folder, new Map(servicesWithNatsUser.map((service) => [service, ['NATS_PASSWORD']])), prefix);
}

function withVariables(prefix: string): Installation {
  const variables = new Map(servicesWithNatsUser.map((service) => [purposes.nats(service), `$${variableOf(service)}`]));
  return { name: prefix, secret: (purpose) => variables.get(purpose) ?? '' };
}

function variableOf(service: ServiceName): string {
  return `${service.toUpperCase()}_NATS_PASSWORD`;
}

/** The server replaces a variable only outside of quotes. */
function unquoted(block: string): string {
  return block.replaceAll(/"(\$[A-Z_]+_NATS_PASSWORD)"/g, '$1');
}

/** Where users are credentials (JWT and nkey), their permissions are in these. */
function nscText(account: string, names: Names, prefix: string): string[] {
  const list = (subjects: readonly string[]): string => `'${subjects.join(',')}'`;
  return [
    '# In operator mode, with users as credentials instead of passwords (the key NATS_CREDS of each Secret):',
    `#   nsc add account --name ${account}`,
    `#   nsc edit account --name ${account} --js-disk-storage -1 --js-mem-storage -1 --js-streams -1 --js-consumer -1`,
    ...servicesWithNatsUser.flatMap((service) => {
      const { publish, subscribe } = permissionsOf(service, { prefix });
      const user = `--account ${account} --name ${names.user(service)}`;
      return [
        `#   nsc add user ${user} --allow-pub ${list(publish.allow)}${publish.deny.length > 0 ? ` --deny-pub ${list(publish.deny)}` : ''} --allow-sub ${list(subscribe.allow)}`,
        `#   nsc generate creds ${user} > ${service}/NATS_CREDS`,
      ];
    }),
  ];
}
