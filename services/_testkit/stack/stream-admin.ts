/** An administrator of the stack's NATS account: the services' own users may not see each other's streams. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { accountName } from '@vds/deploy-tools/installation';
import { accountsDir, reloadNats } from '../servers/nats.ts';
import type { Servers } from '../servers/servers-file.ts';
import { openSettings, writePrivate } from '../servers/settings.ts';
import { until } from '../until.ts';

const USER = 'stream-admin';

/** Adds the administrator to the running server; repeating it is harmless. */
export async function addStreamAdmin({ nats }: Servers, stack: string): Promise<void> {
  const settings = await openSettings(nats.dir, false);
  const folder = accountsDir(nats.dir);
  const own = new RegExp(`^${accountName(stack)}(_[0-9a-f]{8})?\\.conf$`);
  for (const file of readdirSync(folder).filter((name) => own.test(name))) {
    const path = join(folder, file);
    const block = readFileSync(path, 'utf8');
    const user = JSON.stringify({ user: `${stack}-${USER}`, password: settings.passwords.nats });
    if (!block.includes(USER)) writePrivate(path, block.replace('users: [', `users: [ ${user},`));
  }
  await reloadNats(nats.dir, settings);
}

/** Runs `work` as the administrator of the stack's account. */
async function withStreamAdmin<T>(
  { nats }: Servers,
  stack: string,
  work: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const { passwords } = await openSettings(nats.dir, false);
  const options = { servers: nats.url, user: `${stack}-${USER}`, pass: passwords.nats, reconnect: false };
  const connection = await until(() => connect(options), { what: 'NATS accepts the administrator', everyMs: 200 });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Deletes every durable consumer of the stack; returns their names. */
export async function deleteConsumers(servers: Servers, stack: string): Promise<string[]> {
  return withStreamAdmin(servers, stack, async (connection) => {
    const manager = await jetstreamManager(connection);
    const deleted: string[] = [];
    for await (const { config } of manager.streams.list()) {
      for await (const consumer of manager.consumers.list(config.name)) {
        if (consumer.config.durable_name === undefined) continue;
        await manager.consumers.delete(config.name, consumer.name);
        deleted.push(`${config.name}/${consumer.name}`);
      }
    }
    return deleted;
  });
}

/** `<stream> <original subject>: <number>` of the messages that services have given up. */
export async function deadLetters(servers: Servers, stack: string): Promise<string[]> {
  return withStreamAdmin(servers, stack, async (connection) => {
    const manager = await jetstreamManager(connection);
    const found: string[] = [];
    for await (const { config } of manager.streams.list()) {
      if (!config.name.startsWith('DEAD_')) continue;
      const { state } = await manager.streams.info(config.name, { subjects_filter: '>' });
      for (const [subject, count] of Object.entries(state.subjects ?? {}))
        found.push(`${config.name} ${subject}: ${count}`);
    }
    return found;
  });
}

/** How many messages a consumer has not acknowledged yet. */
export async function waitingMessages(
  servers: Servers,
  stack: string,
  { stream, consumer }: { readonly stream: string; readonly consumer: string },
): Promise<number> {
  return withStreamAdmin(servers, stack, async (connection) => {
    const manager = await jetstreamManager(connection);
    const { num_pending: waiting, num_ack_pending: delivered } = await manager.consumers.info(stream, consumer);
    return waiting + delivered;
  });
}

/** The payload of every message that is stored under a subject. */
export async function storedMessages(
  servers: Servers,
  stack: string,
  { stream, subject }: { readonly stream: string; readonly subject: string },
): Promise<Uint8Array[]> {
  return withStreamAdmin(servers, stack, async (connection) => {
    const consumer = await jetstream(connection).consumers.get(stream, { filter_subjects: [subject] });
    const { num_pending: stored } = await consumer.info();
    const found: Uint8Array[] = [];
    while (found.length < stored) {
      const pull = await consumer.fetch({ max_messages: Math.min(5_000, stored - found.length), expires: 5_000 });
      for await (const { data } of pull) found.push(data);
    }
    return found;
  });
}
