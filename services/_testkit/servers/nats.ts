/** nats-server with JetStream; every stack has its own account on it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { answers, startDetached, stopDetached, untilReady } from './detached.ts';
import { goProgram } from '../programs/go-programs.ts';
import { ensurePort, serverUrl, writePrivate, type Settings } from './settings.ts';

export const NATS_USER = 'admin';

// Addresses and folders come from the environment, so that a container reads the same files.
const CONFIG = `listen: $NATS_LISTEN
http: $NATS_MONITOR
server_name: vds
jetstream { store_dir: $NATS_STORE, sync_interval: always }
include "accounts.conf"
system_account: SYS
`;

/**
 * Removes an account of the running server with everything that JetStream stored for it; does nothing if it does not
 * exist.
 * @param account without a dot: the name is one token of a subject
 */
export async function removeAccount(dir: string, settings: Settings, account: string): Promise<void> {
  const file = join(accountsDir(dir), `${account}.conf`);
  if (!existsSync(file)) return;
  await askSystem(settings, () => `$JS.API.ACCOUNT.PURGE.${account}`);
  rmSync(file, { force: true });
  await reloadNats(dir, settings);
}

/** Folder of the account files: one `<account>.conf` each, the inside of a NATS account block. */
export function accountsDir(dir: string): string {
  return join(dir, 'nats', 'accounts');
}

/** Calls the running server's system account; throws with the server's own message when it rejects the call. */
async function askSystem(settings: Settings, subject: (serverId: string) => string): Promise<void> {
  const connection = await connect({
    servers: serverUrl(settings, 'nats'),
    ...(settings.tls && { tls: { caFile: settings.tls.caFile } }),
    user: 'sys',
    pass: settings.passwords.nats,
    reconnect: false,
  });
  try {
    const reloadSubject = subject(connection.info?.server_id ?? '');
    const { error } = (await connection.request(reloadSubject)).json<{ error?: { description: string } }>();
    if (error !== undefined) throw new Error(`nats-server refused ${reloadSubject}: ${error.description}`);
  } finally {
    await connection.close();
  }
}

/** Makes a running server reload the account files; connections of unchanged users stay open. */
export async function reloadNats(dir: string, settings: Settings): Promise<void> {
  writeNatsConfig(dir, settings);
  await askSystem(settings, (id) => `$SYS.REQ.SERVER.${id}.RELOAD`);
}

/** Writes the configuration, which includes every account file; private: it contains passwords. */
export function writeNatsConfig(dir: string, { passwords, tls }: Settings): void {
  mkdirSync(accountsDir(dir), { recursive: true, mode: 0o700 });
  const files = readdirSync(accountsDir(dir)).filter((file) => file.endsWith('.conf'));
  const accounts = files.map((file) => {
    const body = readFileSync(join(accountsDir(dir), file), 'utf8');
    return `  ${JSON.stringify(file.slice(0, -'.conf'.length))} {\n${body}\n  }`;
  });
  const user = (name: string): string => `users: [{ user: ${name}, password: ${JSON.stringify(passwords.nats)} }]`;
  const own = [`  SYS { ${user('sys')} }`, `  ADMIN { jetstream: enabled, ${user(NATS_USER)} }`];
  writePrivate(join(dir, 'nats', 'accounts.conf'), `accounts {\n${[...own, ...accounts].join('\n')}\n}\n`);
  const certificate = tls && `tls ${JSON.stringify({ cert_file: tls.certFile, key_file: tls.keyFile })}\n`;
  writePrivate(join(dir, 'nats', 'nats.conf'), `${CONFIG}${certificate ?? ''}`);
}

/** Kills the server by SIGKILL, deletes everything JetStream stored, in every account, and starts it empty. */
export async function wipeNats(dir: string, settings: Settings): Promise<void> {
  await stopNats(dir, 'SIGKILL');
  rmSync(join(dir, 'nats', 'store'), { recursive: true, force: true });
  await startNats(dir, settings);
}

/** Stops the server; SIGKILL simulates a power cut. */
export async function stopNats(dir: string, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<boolean> {
  return await stopDetached(dir, 'nats', signal);
}

/** Starts the server with its stored data. */
export async function startNats(dir: string, settings: Settings): Promise<void> {
  const command = goProgram('nats-server');
  if (command === null) throw new Error('nats-server is not installed: run `npm run servers -- install`.');
  const monitor = await ensurePort(dir, settings, 'natsMonitor');
  const env = {
    PATH: process.env['PATH'],
    NATS_LISTEN: `"127.0.0.1:${await ensurePort(dir, settings, 'nats')}"`,
    NATS_MONITOR: `"127.0.0.1:${monitor}"`,
    NATS_STORE: JSON.stringify(join(dir, 'nats', 'store')),
  };
  writeNatsConfig(dir, settings);
  dropOrphans(dir);
  startDetached({ dir, name: 'nats', command, args: ['-c', join(dir, 'nats', 'nats.conf')], env });
  await untilReady(dir, 'nats', async () => await answers(`http://127.0.0.1:${monitor}/healthz`));
}

/** nats-server 2.15 never becomes ready over streams of an account that its configuration does not have. */
function dropOrphans(dir: string): void {
  const store = join(dir, 'nats', 'store', 'jetstream');
  if (!existsSync(store)) return;
  const known = new Set([
    '$SYS',
    'SYS',
    'ADMIN',
    ...readdirSync(accountsDir(dir)).map((file) => file.replace(/\.conf$/, '')),
  ]);
  for (const account of readdirSync(store))
    if (!known.has(account)) rmSync(join(store, account), { recursive: true, force: true });
}
