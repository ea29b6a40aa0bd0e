/** State of several releases on shared servers: who is connected how, and what each may touch. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { openObjects } from '@vds/chassis/objects/objects';
import {
  bucketName,
  databaseName,
  indexPrefix,
  purposes,
  runtimeRole,
  userName,
  type Installation,
} from '@vds/deploy-tools/installation';
import { adminConfig } from '@vds/deploy-tools/provision/databases';
import { basicAuthorization, type TlsServers } from '../servers/tls-servers.ts';

/** The installation's user of OpenSearch. */
export function searchLogin(installation: Installation): { readonly user: string; readonly password: string } {
  return {
    user: userName(installation.name, 'indexer'),
    password: installation.secret(purposes.own('indexer', 'OpenSearch password')),
  };
}

export type Connection = {
  readonly server: 'PostgreSQL' | 'NATS';
  readonly user: string;
  readonly isEncrypted: boolean;
};

/** Every connection that is open, and every role with the extraordinary rights that it has. */
export async function serverConnections({ servers }: TlsServers): Promise<{
  readonly connections: readonly Connection[];
  readonly roles: readonly { readonly name: string; readonly may: string }[];
}> {
  const client = new pg.Client(adminConfig(servers, 'postgres'));
  await client.connect();
  try {
    const { rows: sessions } = await client.query<Connection>(
      `select 'PostgreSQL' as server, usename as user, ssl as "isEncrypted"
       from pg_stat_activity join pg_stat_ssl using (pid) where backend_type = 'client backend'`,
    );
    const { rows: roles } = await client.query<{ name: string; may: string }>(
      `select rolname as name, concat_ws(' ', case when rolsuper then 'superuser' end, case when rolcreaterole then 'createrole' end,
         case when rolcreatedb then 'createdb' end, case when rolbypassrls then 'bypassrls' end) as may
       from pg_roles where rolname ~ '_' and rolname !~ '^pg_'`,
    );
    return { connections: [...sessions, ...(await natsConnections(servers.nats.monitorUrl))], roles };
  } finally {
    await client.end();
  }
}

async function natsConnections(monitorUrl: string): Promise<Connection[]> {
  const response = await fetch(`${monitorUrl}/connz?auth=1&limit=10000`);
  const { connections } = (await response.json()) as {
    connections: { authorized_user?: string; tls_version?: string }[];
  };
  return connections.map(({ authorized_user: user = '', tls_version: version }) => ({
    server: 'NATS',
    user,
    isEncrypted: version !== undefined,
  }));
}

/**
 * What `as`'s own users may read of the installation `of`, by server: 'read', or why it is denied.
 */
export async function readableBy(
  tls: TlsServers,
  as: Installation,
  of: string,
): Promise<Readonly<Record<'PostgreSQL' | 'NATS' | 'S3' | 'OpenSearch', string>>> {
  const attempt = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'read',
      (error: Error) => error.message,
    );
  return {
    PostgreSQL: await attempt(readDatabase(tls, as, of)),
    NATS: await attempt(readStream(tls, as, of)),
    S3: await attempt(readBucket(tls, as, of)),
    OpenSearch: await attempt(readIndex(tls, as, of)),
  };
}

async function readDatabase({ servers }: TlsServers, as: Installation, of: string): Promise<void> {
  const user = runtimeRole(as.name, 'catalog');
  const password = as.secret(purposes.runtime('catalog'));
  const client = new pg.Client({ ...adminConfig(servers, databaseName(of, 'catalog')), user, password });
  try {
    await client.connect();
    await client.query('select from videos');
  } finally {
    await client.end().catch(() => undefined); // it may never have been connected
  }
}

async function readStream({ servers, caFile }: TlsServers, as: Installation, of: string): Promise<void> {
  const connection = await connect({
    servers: servers.nats.url,
    user: userName(as.name, 'catalog'),
    pass: as.secret(purposes.nats('catalog')),
    inboxPrefix: `_INBOX_${as.name}_catalog`,
    tls: { caFile },
  });
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 3_000 });
    await manager.streams.info(`${of.replaceAll('-', '_').toUpperCase()}_CATALOG`);
  } finally {
    await connection.close();
  }
}

async function readIndex({ servers }: TlsServers, as: Installation, of: string): Promise<void> {
  const headers = { authorization: basicAuthorization(searchLogin(as)) };
  const { status } = await fetch(`${servers.opensearch?.url}/${indexPrefix(of)}videos/_search`, { headers });
  if (status !== 200) throw new Error(`OpenSearch answered ${status}`);
}

async function readBucket({ servers }: TlsServers, as: Installation, of: string): Promise<void> {
  const config = {
    s3Endpoint: servers.s3.endpoint,
    s3Region: servers.s3.region,
    s3AccessKey: userName(as.name, 'transcode'),
    s3SecretKey: as.secret(purposes.s3('transcode')),
  };
  await openObjects(config, bucketName(of, 'media')).list('videos/');
}
