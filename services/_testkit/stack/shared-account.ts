/** One NATS account for several installations, and all that it stores. */
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Installation } from '@vds/deploy-tools/installation';
import { accountUsers } from '@vds/deploy-tools/provision/nats-account';
import { accountsDir, reloadNats } from '../servers/nats.ts';
import { writePrivate } from '../servers/settings.ts';
import type { TlsServers } from '../servers/tls-servers.ts';
import { settingsOf } from './provision.ts';

/** A user of the shared account with every permission, and the password of the server's administrator. */
const JUDGE = 'judge';

/** Gives several installations one NATS account, in which each has its own users. */
export async function shareAccount({ servers }: TlsServers, installations: readonly Installation[]): Promise<void> {
  const { nats } = servers;
  const users = installations.flatMap((one) => accountUsers(one, { subjectPrefix: one.name }));
  const all = [...users, { user: JUDGE, password: nats.password }];
  writePrivate(join(accountsDir(nats.dir), 'shared.conf'), `jetstream: enabled\nusers: ${JSON.stringify(all)}`);
  await reloadNats(nats.dir, settingsOf(servers));
}

type StoredStream = {
  readonly name: string;
  readonly subjects: readonly string[];
  /** Every message, its subject before its payload. */
  readonly text: string;
};

/** Every stream of the shared account with all that it stores. */
export async function storedStreams({ servers, caFile }: TlsServers): Promise<readonly StoredStream[]> {
  const { url, password } = servers.nats;
  const connection = await connect({ servers: url, user: JUDGE, pass: password, tls: { caFile } });
  try {
    const manager = await jetstreamManager(connection);
    return await Array.fromAsync(manager.streams.list(), async ({ config, state }) => {
      const consumer = await jetstream(connection).consumers.get(config.name);
      const messages =
        state.messages === 0 ? [] : await consumer.fetch({ max_messages: state.messages, expires: 1_000 });
      const texts = await Array.fromAsync(messages, (message) => `${message.subject} ${message.string()}`);
      return { name: config.name, subjects: config.subjects ?? [], text: texts.join('\n') };
    });
  } finally {
    await connection.close();
  }
}
