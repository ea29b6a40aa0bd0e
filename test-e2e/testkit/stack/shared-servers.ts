/** The NATS account that several releases share, and what they have on the servers that they share, as the servers' administrators see it. */
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { adminConfig } from '@vds/deploy-tools/provision/databases';
import type { Installation } from '@vds/deploy-tools/installation';
import { purposes, userName } from '@vds/deploy-tools/installation';
import { permissionsOf, servicesWithNatsUser } from '@vds/deploy-tools/provision/nats-account';
import { accountsDir, reloadNats } from '../servers/nats.ts';
import { writePrivate } from '../servers/settings.ts';
import type { TlsServers } from '../servers/tls-servers.ts';
import { settingsOf } from './provision.ts';

/** A user of the shared account with every permission, and the password of the server's administrator. */
const JUDGE = 'judge';

/** Gives several installations one NATS account, in which each has users of its own. */
export async function shareAccount({ servers }: TlsServers, installations: readonly Installation[]): Promise<void> {
  const { nats } = servers;
  const users = installations.flatMap((installation) =>
    servicesWithNatsUser.map((service) => ({
      user: userName(installation.name, service),
      password: installation.secret(purposes.nats(service)),
      permissions: permissionsOf(service),
    })),
  );
  const all = [...users, { user: JUDGE, password: nats.password }];
  writePrivate(join(accountsDir(nats.dir), 'shared.conf'), `jetstream: enabled\nusers: ${JSON.stringify(all)}`);
  await reloadNats(nats.dir, settingsOf(servers));
}

type StoredStream = {
  readonly subjects: readonly string[];
  /** Every message, its subject before its payload. */
  readonly text: string;
};

/** Every stream of the shared account with all that it stores. */
export async function storedStreams({ servers, caFile }: TlsServers): Promise<ReadonlyMap<string, StoredStream>> {
  const { url, password } = servers.nats;
  const connection = await connect({ servers: url, user: JUDGE, pass: password, tls: { caFile } });
  try {
    const manager = await jetstreamManager(connection);
    const streams = new Map<string, StoredStream>();
    for await (const { config, state } of manager.streams.list()) {
      const consumer = await jetstream(connection).consumers.get(config.name);
      const messages = await consumer.fetch({ max_messages: Math.max(1, state.messages), expires: 1_000 });
      const texts = state.messages === 0 ? [] : await Array.fromAsync(messages, (message) => `${message.subject} ${message.string()}`);
      streams.set(config.name, { subjects: config.subjects ?? [], text: texts.join('\n') });
    }
    return streams;
  } finally {
    await connection.close();
  }
}

type Connection = { readonly server: 'PostgreSQL' | 'NATS'; readonly user: string; readonly isEncrypted: boolean };

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
