/**
 * Separate servers that speak only TLS, with certificates of one private authority: PostgreSQL, nats-server and S3, and
 * the run's own OpenSearch behind a front that speaks TLS and has users.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import pg from 'pg';
import { randomSecret } from '@vds/deploy-tools/installation';
import { adminConfig } from '@vds/deploy-tools/provision/databases';
import { createAuthority, type CertificateAuthority } from '@vds/deploy-tools/secrets/certificates';
import { runningPid } from './detached.ts';
import { reloadNats } from './nats.ts';
import { readServers, type Servers } from './servers-file.ts';
import { openSettings, saveSettings, writePrivate, type TlsFiles } from './settings.ts';
import { removeServers, up } from './up.ts';

export type TlsServers = Awaited<ReturnType<typeof startTlsServers>>;
type Login = { readonly user: string; readonly password: string };
/** @param indexes names, of which a final `*` stands for any end */
type SearchUser = Login & { readonly indexes: readonly string[] };

/** Starts them; this process trusts their authority until `close`. */
export async function startTlsServers() {
  await using opened = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'vds-tls-servers-'));
  opened.defer(() => removeServers(dir));
  const tls = await writeCertificate(dir, 'servers', await createAuthority(), ['localhost']);
  const before = getCACertificates('default');
  opened.defer(() => setDefaultCACertificates(before));
  const ssl = { ca: '' };
  const trust = (authorities: string): void => {
    writeFileSync(tls.caFile, authorities);
    ssl.ca = authorities;
    setDefaultCACertificates([...before, ...(authorities.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? [])]);
  };
  trust(readFileSync(tls.caFile, 'utf8'));
  saveSettings(dir, { ...(await openSettings(dir, false)), tls });
  const { opensearch: real } = readServers();
  if (real === null) throw new Error('OpenSearch does not run: run `npm run servers -- up`.');
  const front = await openFront(real.url, tls);
  opened.defer(front.close);
  const started = await up(dir, { which: ['postgres', 'nats', 's3'] });
  const servers: Servers = {
    ...started,
    postgres: { ...started.postgres, ssl },
    opensearch: { url: front.url },
  };
  const databases = await createAdministrator(servers);
  const open = opened.move();
  return {
    /** As the services reach them; PostgreSQL's administrator here is its superuser. */
    servers,
    /** The OpenSearch behind the front, as its administrator sees it. */
    realSearch: real,
    caFile: tls.caFile,
    /** Adds a user of OpenSearch, who may use these indexes in paths; bodies are not checked. */
    permitSearch: front.permit,
    /** Removes a user of OpenSearch. */
    forbidSearch: front.forbid,
    /** Makes this process, and those that start from now on, trust these authorities (PEM) and no other private one. */
    trust,
    /** Gives every server a certificate of another authority, without a restart. */
    renew: async (authority: CertificateAuthority): Promise<void> => {
      const { certificate, key } = await authority.issue(['localhost']);
      writeFileSync(tls.certFile, certificate);
      writePrivate(tls.keyFile, key);
      front.renew(tls);
      await reloadCertificates(dir, servers);
    },
    /** A role that may create roles and databases and nothing more, as managed PostgreSQL gives its customers. */
    databases,
    close: () => open.disposeAsync(),
  };
}

/** Writes a certificate for the hosts, its key and its authority as `<dir>/<name>.*.pem`. */
export async function writeCertificate(
  dir: string,
  name: string,
  authority: CertificateAuthority,
  hosts: readonly string[],
): Promise<TlsFiles> {
  const { certificate, key } = await authority.issue(hosts);
  const files = (['cert', 'key', 'ca'] as const).map((kind) => join(dir, `${name}.${kind}.pem`));
  const [certFile = '', keyFile = '', caFile = ''] = files;
  writeFileSync(certFile, certificate);
  writePrivate(keyFile, key);
  writeFileSync(caFile, authority.caCertificate);
  return { certFile, keyFile, caFile };
}

/** PostgreSQL, nats-server and S3 read their files again. */
async function reloadCertificates(dir: string, servers: Servers): Promise<void> {
  const settings = await openSettings(dir, false);
  const { tls, postgresDir } = settings;
  if (tls === undefined) throw new Error('these servers do not speak TLS');
  // Written, not copied: the files stay those of the server's user.
  writeFileSync(join(postgresDir, 'server.crt'), readFileSync(tls.certFile));
  writeFileSync(join(postgresDir, 'server.key'), readFileSync(tls.keyFile));
  const client = new pg.Client(adminConfig(servers, 'postgres'));
  await client.connect();
  try {
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
  await reloadNats(dir, settings);
  process.kill(runningPid(dir, 's3') ?? NaN, 'SIGHUP');
}

/** HTTPS with basic authentication before a server without either. */
async function openFront(target: string, { certFile, keyFile }: TlsFiles) {
  const users = new Map<string | undefined, SearchUser>();
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const server = createServer(pair, (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const user = users.get(headers.authorization);
    if (user === undefined) return void outgoing.writeHead(401).end();
    if (!indexesIn(url).every((index) => mayUse(user, index))) return void outgoing.writeHead(403).end();
    const onward = request(new URL(url, target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    permit: (user: SearchUser): void => void users.set(basicAuthorization(user), user),
    forbid: (user: Login): void => void users.delete(basicAuthorization(user)),
    renew: (files: TlsFiles): void =>
      server.setSecureContext({ cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) }),
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The header of a login. */
export function basicAuthorization({ user, password }: Login): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** The indexes that a path names; none for those of the cluster, such as `/_bulk`. */
function indexesIn(url: string): string[] {
  const [first = ''] = new URL(url, 'http://front').pathname.slice(1).split('/');
  return first === '' || first.startsWith('_') ? [] : decodeURIComponent(first).split(',');
}

function mayUse({ indexes }: SearchUser, index: string): boolean {
  return indexes.some((one) => (one.endsWith('*') ? index.startsWith(one.slice(0, -1)) : index === one));
}

async function createAdministrator(servers: Servers): Promise<Login> {
  const login = { user: 'administrator', password: randomSecret() };
  const client = new pg.Client(adminConfig(servers, 'postgres'));
  await client.connect();
  try {
    await client.query(
      `create role ${login.user} login nosuperuser createrole createdb password ${pg.escapeLiteral(login.password)}`,
    );
  } finally {
    await client.end();
  }
  return login;
}
