/** Provisions everything that a stack needs on the servers before its first process starts; idempotent. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import type { Servers } from '../servers/servers-file.ts';
import { until } from '../until.ts';
import { accountsDir, reloadNats, removeAccount } from '../servers/nats.ts';
import { readSettings, writePrivate, type Settings } from '../servers/settings.ts';
import { removeBuckets } from './bucket-removal.ts';
import { provisionBuckets, provisionPolicies, provisionS3Users } from '@vds/deploy-tools/provision/buckets';
import { loginOf, provisionDatabase, removeDatabase } from '@vds/deploy-tools/provision/databases';
import { migrate } from '@vds/deploy-tools/migrate/migrations';
import { removeIndexes, searchAnswers } from './indexes.ts';
import { accountBlock, servicesWithNatsUser } from '@vds/deploy-tools/provision/nats-account';
import { accountName, purposes, userName } from '@vds/deploy-tools/installation';
import type { StackState } from './state.ts';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';

/**
 * Databases with roles and tables, NATS account, S3 users and buckets, and a search cluster that answers; databases
 * and search only for the services named.
 */
export async function provision(
  servers: Servers,
  state: StackState,
  wanted: ServiceName[] = serviceNames,
): Promise<void> {
  await all([
    provisionNats(servers, state),
    (async () => {
      await provisionS3Users(servers, state);
      await provisionBuckets(servers, state.name);
      await provisionPolicies(servers, state.name);
    })(),
    ...(wanted.some((service) => rowOf(service).search === true) ? [searchAnswers(servers)] : []),
    provisionDatabases(servers, state, wanted),
  ]);
}

/** Databases with roles and tables for the services named. */
export async function provisionDatabases(
  servers: Servers,
  state: StackState,
  wanted: readonly ServiceName[],
): Promise<void> {
  const stores = wanted.filter((service) => rowOf(service).database);
  for (const service of stores) await provisionDatabase(servers, state, service);
  await migrateAll(servers, state, stores);
}

/** Waits for all, then throws the first failure: nothing still runs when the caller sees it. */
async function all(works: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Writes the stack's NATS account, reloads the server, and waits until each user can connect. */
async function provisionNats(servers: Servers, state: StackState): Promise<void> {
  writePrivate(accountFile(servers, state.name), accountBlock(state));
  await reloadNats(servers.nats.dir, settingsOf(servers));
  for (const service of servicesWithNatsUser) {
    await until(async () => await mayConnect(servers, state, service), {
      what: `NATS accepts ${service}`,
      capMs: 10_000,
    });
  }
}

/**
 * A new stack gets an account name that was never used: nats-server 2.15 does not re-enable JetStream for an account
 * that was removed from its configuration and added again by a reload ("jetstream is not enabled").
 */
function accountFile(servers: Servers, stack: string): string {
  return (
    accountFiles(servers, stack)[0] ??
    join(accountsDir(servers.nats.dir), `${accountName(stack)}_${randomBytes(4).toString('hex')}.conf`)
  );
}

/** The files of the stack's account; none before it is provisioned. */
function accountFiles(servers: Servers, stack: string): string[] {
  const dir = accountsDir(servers.nats.dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const own = new RegExp(`^${accountName(stack)}(_[0-9a-f]{8})?\\.conf$`);
  return readdirSync(dir)
    .filter((file) => own.test(file))
    .map((file) => join(dir, file));
}

/** The settings of the servers' folder. */
export function settingsOf({ nats }: Servers): Settings {
  const settings = readSettings(nats.dir);
  if (settings === null) throw new Error(`${nats.dir} holds no servers: run \`npm run servers -- up\`.`);
  return settings;
}

async function mayConnect(servers: Servers, state: StackState, service: ServiceName): Promise<boolean> {
  const connection = await connect({
    servers: servers.nats.url,
    user: userName(state.name, service),
    pass: state.secret(purposes.nats(service)),
    maxReconnectAttempts: 0,
    reconnect: false,
  });
  await connection.close();
  return true;
}

/** Brings the databases of these services up to date, two at a time. */
export async function migrateAll(servers: Servers, state: StackState, wanted: ServiceName[]): Promise<void> {
  const queue = [...wanted];
  const worker = async (): Promise<void> => {
    for (let service = queue.shift(); service !== undefined; service = queue.shift()) {
      const { url, password } = loginOf(servers, state, service, 'owner');
      await migrate(service, url, password);
    }
  };
  await all([worker(), worker()]);
}

/** Removes all of it; the stack's processes must be stopped. */
export async function removeProvisions(servers: Servers, stack: string): Promise<void> {
  for (const file of accountFiles(servers, stack))
    await removeAccount(servers.nats.dir, settingsOf(servers), basename(file, '.conf'));
  await removeBuckets(servers, stack);
  await removeIndexes(servers, stack);
  for (const service of serviceNames.filter((name) => rowOf(name).database))
    await removeDatabase(servers, stack, service);
}
