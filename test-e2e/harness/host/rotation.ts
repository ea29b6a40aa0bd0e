/**
 * deploy/guide/rotation.md, performed on a release of this host: its commands on the servers as they stand; processes get
 * what the Secrets of its folders and its values give pods.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { databaseName, tokensOf } from '@vds/deploy-tools/installation';
import { createAuthority } from '@vds/deploy-tools/secrets/certificates';
import type { ServiceName } from '@vds/deploy-tools/services';
import { run } from '@vds/testkit/servers/command';
import { accountsDir, reloadNats } from '@vds/testkit/servers/nats';
import { postgresClient } from '@vds/testkit/servers/postgres';
import { writePrivate } from '@vds/testkit/servers/settings';
import type { TlsServers } from '@vds/testkit/servers/tls-servers';
import type { Environment } from '@vds/testkit/stack/environment';
import { settingsOf } from '@vds/testkit/stack/provision';
import { searchLogin } from '@vds/testkit/stack/shared-servers';
import { root } from '../cluster/command.ts';
import type { ClientTls } from '../site.ts';
import { provisionEnvironment } from './provision-release.ts';
import { printedIndexes, type TlsRelease } from './tls-releases.ts';

export type Step = 'prepare' | 'switch' | 'retire';
export type Rotation = Awaited<ReturnType<typeof openRotation>>;
/** The keys of each Secret. */
type Secrets = ReadonlyMap<string, Environment>;
type Values = {
  readonly external: { readonly opensearch: { readonly user: string } };
  readonly components: Readonly<
    Record<string, { readonly natsUser: string; readonly postgres: { readonly user: string } }>
  >;
};

/** Makes the new values; nothing knows them yet. */
export async function openRotation(tls: TlsServers, release: TlsRelease) {
  const { name, installation: old } = release;
  const folder = old.dir;
  storeAuthKeys(release);
  const runSection = (section: string) => runPage(tls, { section, folder, prefix: name });
  await runSection('New values');
  const secrets: Record<Step, Secrets> = {
    prepare: secretsIn(join(folder, 'secrets-prepare')),
    switch: secretsIn(join(folder, 'secrets-switch')),
    retire: secretsIn(join(folder, 'secrets-retire')),
  };
  const certificates = await openCertificates(release);
  const authority = await createAuthority();
  const oldAuthority = readFileSync(tls.caFile, 'utf8');
  const login = searchLogin(old);
  let values: Values | undefined;

  const applyAccount = async (): Promise<void> => {
    const text = readFileSync(join(folder, 'nats.conf'), 'utf8');
    const account = text.slice(text.indexOf('{', text.indexOf('accounts {') + 'accounts {'.length) + 1);
    const { dir } = tls.servers.nats;
    writePrivate(join(accountsDir(dir), 'shared.conf'), account.slice(0, account.indexOf('\n  }\n')));
    await reloadNats(dir, settingsOf(tls.servers));
  };
  const before: Record<Step, () => Promise<void>> = {
    prepare: async () => {
      await runSection('Prepare');
      await applyAccount();
      const password = secrets.switch.get('indexer')?.['OPENSEARCH_PASSWORD'] ?? '';
      tls.permitSearch({ user: `${login.user}-b`, password, indexes: printedIndexes(name) });
      tls.trust(`${oldAuthority}${authority.caCertificate}`);
    },
    switch: async () => {
      await runSection('Switch');
      values = parse(readFileSync(join(folder, 'rotation.yaml'), 'utf8')) as Values;
      await tls.renew(authority);
    },
    retire: async () => tls.trust(authority.caCertificate),
  };
  return {
    old,
    before: async (step: Step): Promise<void> => {
      await before[step]();
      await certificates[step]();
    },
    /** After the rollout. */
    after: async (step: Step): Promise<void> => {
      if (step !== 'retire') return;
      await runSection('Retire');
      await applyAccount();
      tls.forbidSearch(login);
    },
    /** The variables that the Secrets and values of a step give a service. */
    settings: (step: Step, service: ServiceName): Environment => {
      const { DATABASE_OWNER_PASSWORD: _migrations, ...own } = secrets[step].get(service) ?? {};
      return { ...own, ...(values && namesOf(tls, name, values, service, own)) };
    },
    /** The tokens of callers outside of the release, from a step on. */
    tokens: (step: Step) => ({
      ...tokensOf(old),
      vdsctl: secrets[step].get('vdsctl')?.['VDSCTL_TOKEN'] ?? '',
      apps: secrets[step].get('apps')?.['APPS_TOKEN'] ?? '',
    }),
    clientTls: certificates.clientTls,
  };
}

/** Puts auth's keys, which a stack derives itself, where a release has them. */
function storeAuthKeys({ stack, installation }: TlsRelease): void {
  const text = readFileSync(`/proc/${stack.process('auth').pid()}/environ`, 'utf8');
  for (const key of ['KEY_PEPPERS', 'SIGNING_KEY_SECRET']) {
    const line = text.split('\0').find((one) => one.startsWith(`${key}=`)) ?? '';
    writePrivate(join(installation.dir, 'secrets', 'auth', key), line.slice(key.length + 1));
  }
}

type Section = { readonly section: string; readonly folder: string; readonly prefix: string };

/** Runs the commands of a section, except those that need a cluster. @param folder instead of `~/vds` */
async function runPage(tls: TlsServers, { section, folder, prefix }: Section): Promise<void> {
  const page = readFileSync(join(root, 'deploy/guide/rotation.md'), 'utf8');
  const [text = ''] = page.split(`\n## ${section}\n`)[1]?.split('\n## ') ?? [];
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const commands = blocks.filter((block) => !/^(?:kubectl|helm) /m.test(block));
  if (commands.length === 0) throw new Error(`the page has no commands under '${section}'`);
  const script = ['set -euo pipefail', ...commands].join('\n').replaceAll('~/vds', folder);
  const env = {
    ...provisionEnvironment(tls),
    PATH: `${dirname(postgresClient('psql'))}:${process.env['PATH']}`,
    HOME: process.env['HOME'] ?? '',
    PREFIX: prefix,
    PGPASSWORD: tls.databases.password,
    PGSSLROOTCERT: tls.caFile,
  };
  await run('bash', ['-c', script], { env, cwd: root });
}

function secretsIn(folder: string): Secrets {
  const keysIn = (component: string): Environment =>
    Object.fromEntries(
      readdirSync(join(folder, component)).map((key) => [key, readFileSync(join(folder, component, key), 'utf8')]),
    );
  return new Map(readdirSync(folder).map((component) => [component, keysIn(component)]));
}

/** The names that the chart derives from values. @param own the keys of the service's Secret */
function namesOf(tls: TlsServers, prefix: string, values: Values, service: ServiceName, own: Environment): Environment {
  const { host, port } = tls.servers.postgres;
  const { natsUser = '', postgres } = values.components[service] ?? {};
  const login = `${postgres?.user}@${host}:${port}/${databaseName(prefix, service)}`;
  return {
    ...('DATABASE_PASSWORD' in own && { DATABASE_URL: `postgresql://${login}?sslmode=verify-full` }),
    ...('NATS_PASSWORD' in own && { NATS_USER: natsUser }),
    ...('OPENSEARCH_PASSWORD' in own && { OPENSEARCH_USER: values.external.opensearch.user }),
  };
}

/** Certificates of mutual TLS, and those of a caller outside of the release. */
async function openCertificates({ certificates: { authority: old, folder }, installation }: TlsRelease) {
  const authority = await createAuthority();
  const holders = readdirSync(folder).flatMap((file) => /^(.+)\.ca\.pem$/.exec(file)?.[1] ?? []);
  const both = `${old.caCertificate}${authority.caCertificate}`;
  const callers = join(installation.dir, 'callers');
  mkdirSync(callers);
  const write = (dir: string, holder: string, kind: string, text: string): string => {
    const file = join(dir, `${holder}.${kind}.pem`);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const trust = async (text: string): Promise<void> =>
    holders.forEach((holder) => void write(folder, holder, 'ca', text));
  return {
    prepare: () => trust(both),
    switch: async () => {
      for (const holder of holders) {
        const { certificate, key } = await authority.issue([holder, '127.0.0.1']);
        write(folder, holder, 'cert', certificate);
        write(folder, holder, 'key', key);
      }
    },
    retire: () => trust(authority.caCertificate),
    /** A certificate for the callers of a step. */
    clientTls: async (step: Step): Promise<ClientTls> => {
      const { certificate, key } = await (step === 'prepare' ? old : authority).issue(['apps']);
      return {
        tlsCertFile: write(callers, step, 'cert', certificate),
        tlsKeyFile: write(callers, step, 'key', key),
        tlsCaFile: write(callers, step, 'ca', step === 'retire' ? authority.caCertificate : both),
      };
    },
  };
}
