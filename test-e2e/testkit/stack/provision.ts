/** Everything a house needs on the servers before its first process starts; safe to repeat. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import type { Servers } from '../servers/servers-file.ts';
import { until } from '../until.ts';
import { accountsDir, reloadNats, removeAccount } from '../servers/nats.ts';
import { readSettings, writePrivate, type Settings } from '../servers/settings.ts';
import { removeBuckets } from '../stack/bucket-removal.ts';
import { provisionBuckets, provisionS3Users } from '@vds/deploy-tools/provision/buckets';
import { loginOf, provisionDatabase, removeDatabase } from '@vds/deploy-tools/provision/databases';
import { migrate } from '@vds/deploy-tools/migrate/migrations';
import { removeIndexes, searchAnswers } from '../stack/indexes.ts';
import { accountBlock, speakers } from '@vds/deploy-tools/provision/nats-account';
import { accountName, purposes, userName } from '@vds/deploy-tools/installation';
import type { StackState } from '../stack/state.ts';
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
  const stores = wanted.filter((service) => rowOf(service).database);
  await all([
    provisionNats(servers, state),
    (async () => {
      await provisionS3Users(servers, state);
      await provisionBuckets(servers, state.name);
    })(),
    ...(wanted.some((service) => rowOf(service).search === true) ? [searchAnswers(servers)] : []),
    (async () => {
      for (const service of stores) await provisionDatabase(servers, state, service);
      await migrateAll(servers, state, stores);
    })(),
  ]);
}

/** Waits for all, then throws the first failure: nothing is still at work when the caller hears of it. */
async function all(works: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Writes the house's NATS account, makes the server read it, and waits until each user is let in. */
async function provisionNats(servers: Servers, state: StackState): Promise<void> {
  writePrivate(accountFile(servers, state.name), accountBlock(state));
  await reloadNats(servers.nats.dir, settingsOf(servers));
  for (const service of speakers) {
    await until(async () => await mayConnect(servers, state, service), {
      what: `NATS lets ${service} in`,
      capMs: 10_000,
    });
  }
}

/**
 * A new house gets an account name that was never used: nats-server 2.15 does not give JetStream back to an account that
 * was taken out of its configuration and put in again by a reload ("jetstream is not enabled").
 */
function accountFile(servers: Servers, house: string): string {
  return (
    accountFiles(servers, house)[0] ??
    join(accountsDir(servers.nats.dir), `${accountName(house)}_${randomBytes(4).toString('hex')}.conf`)
  );
}

/** Files of the house's account; more than none once it is provisioned. */
function accountFiles(servers: Servers, house: string): string[] {
  const dir = accountsDir(servers.nats.dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const own = new RegExp(`^${accountName(house)}(_[0-9a-f]{8})?\\.conf$`);
  return readdirSync(dir)
    .filter((file) => own.test(file))
    .map((file) => join(dir, file));
}

/** Settings of the servers folder that the house lives on. */
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

/** Two at a time: each migration starts Prisma's command, which keeps one core busy. */
async function migrateAll(servers: Servers, state: StackState, wanted: ServiceName[]): Promise<void> {
  const queue = [...wanted];
  const worker = async (): Promise<void> => {
    for (let service = queue.shift(); service !== undefined; service = queue.shift()) {
      const { url, password } = loginOf(servers, state, service, 'owner');
      await migrate(service, url, password);
    }
  };
  await all([worker(), worker()]);
}

/** Removes all of it; the house's processes must be stopped. */
export async function removeProvisions(servers: Servers, house: string): Promise<void> {
  for (const file of accountFiles(servers, house))
    await removeAccount(servers.nats.dir, settingsOf(servers), basename(file, '.conf'));
  await removeBuckets(servers, house);
  await removeIndexes(servers, house);
  for (const service of serviceNames.filter((name) => rowOf(name).database))
    await removeDatabase(servers, house, service);
}
