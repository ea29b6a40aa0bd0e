/** nats-server with JetStream; every house has an account of its own in it. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { answers, startDetached, stopDetached, untilReady } from './detached.ts';
import { goProgram } from './go-programs.ts';
import { ensurePort, writePrivate, type Settings } from './settings.ts';

export const NATS_USER = 'admin';

/** Folder of the account files: one `<account>.conf` each, the inside of a NATS account block. */
export const accountsDir = (dir: string): string => join(dir, 'nats', 'accounts');

// Where it listens and stores comes by environment, so that a container reads the very same files.
const CONFIG = `listen: $NATS_LISTEN
http: $NATS_MONITOR
server_name: vds
jetstream { store_dir: $NATS_STORE, sync_interval: always }
include "accounts.conf"
system_account: SYS
`;

/** Writes the configuration with every account file inside; private, as it holds passwords. */
export const writeNatsConfig = (dir: string, { passwords }: Settings): void => {
  mkdirSync(accountsDir(dir), { recursive: true, mode: 0o700 });
  const files = readdirSync(accountsDir(dir)).filter((file) => file.endsWith('.conf'));
  const accounts = files.map((file) => {
    const body = readFileSync(join(accountsDir(dir), file), 'utf8');
    return `  ${JSON.stringify(file.slice(0, -'.conf'.length))} {\n${body}\n  }`;
  });
  const user = (name: string): string => `users: [{ user: ${name}, password: ${JSON.stringify(passwords.nats)} }]`;
  const own = [`  SYS { ${user('sys')} }`, `  ADMIN { jetstream: enabled, ${user(NATS_USER)} }`];
  writePrivate(join(dir, 'nats', 'accounts.conf'), `accounts {\n${[...own, ...accounts].join('\n')}\n}\n`);
  writePrivate(join(dir, 'nats', 'nats.conf'), CONFIG);
};

/** Starts the server with what it stored before. */
export const startNats = async (dir: string, settings: Settings): Promise<void> => {
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
  startDetached({ dir, name: 'nats', command, args: ['-c', join(dir, 'nats', 'nats.conf')], env });
  await untilReady(dir, 'nats', async () => await answers(`http://127.0.0.1:${monitor}/healthz`));
};

/** Makes a running server read the account files again; connections of unchanged users stay. */
export const reloadNats = async (dir: string, settings: Settings): Promise<void> => {
  writeNatsConfig(dir, settings);
  const servers = `nats://127.0.0.1:${settings.ports.nats}`;
  const connection = await connect({ servers, user: 'sys', pass: settings.passwords.nats, reconnect: false });
  try {
    const id = connection.info?.server_id;
    const reply = (await connection.request(`$SYS.REQ.SERVER.${id}.RELOAD`)).json<{
      error?: { description: string };
    }>();
    if (reply.error !== undefined) throw new Error(`nats-server refused its configuration: ${reply.error.description}`);
  } finally {
    await connection.close();
  }
};

/** Stops the server; SIGKILL is what a power cut looks like to it. */
export const stopNats = async (dir: string, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<boolean> =>
  await stopDetached(dir, 'nats', signal);

/** Stops the server by SIGKILL, throws away everything JetStream stored, in every account, and starts it empty. */
export const wipeNats = async (dir: string, settings: Settings): Promise<void> => {
  await stopNats(dir, 'SIGKILL');
  rmSync(join(dir, 'nats', 'store'), { recursive: true, force: true });
  await startNats(dir, settings);
};
