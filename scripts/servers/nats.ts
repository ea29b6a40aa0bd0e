/** nats-server with JetStream on the loopback interface; every house has an account of its own in it. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { answers, runningPid, startDetached, stopDetached, untilReady } from './detached.ts';
import { goProgram } from './go-programs.ts';
import { ensurePort, writePrivate, type Settings } from './settings.ts';

export const NATS_USER = 'admin';

/** Folder of the account files: one `<account>.conf` each, the inside of a NATS account block. */
export const accountsDir = (dir: string): string => join(dir, 'nats', 'accounts');

const configFile = (dir: string): string => join(dir, 'nats', 'nats.conf');

/** Writes the configuration with every account file inside; private, as it holds passwords. */
const writeConfig = (dir: string, settings: Settings): void => {
  const files = readdirSync(accountsDir(dir)).filter((file) => file.endsWith('.conf'));
  const accounts = files.map((file) => {
    const body = readFileSync(join(accountsDir(dir), file), 'utf8');
    return `  ${JSON.stringify(file.slice(0, -'.conf'.length))} {\n${body}\n  }`;
  });
  writePrivate(
    configFile(dir),
    `listen: "127.0.0.1:${settings.ports.nats}"
http: "127.0.0.1:${settings.ports.natsMonitor}"
server_name: vds
jetstream { store_dir: ${JSON.stringify(join(dir, 'nats', 'store'))}, sync_interval: always }
accounts {
  SYS { users: [{ user: sys, password: ${JSON.stringify(`${settings.passwords.nats}-sys`)} }] }
  ADMIN { jetstream: enabled, users: [{ user: ${NATS_USER}, password: ${JSON.stringify(settings.passwords.nats)} }] }
${accounts.join('\n')}
}
system_account: SYS
`,
  );
};

const isReady = async (settings: Settings): Promise<boolean> =>
  await answers(`http://127.0.0.1:${settings.ports.natsMonitor}/healthz`);

/** Starts the server with what it stored before. */
export const startNats = async (dir: string, settings: Settings): Promise<void> => {
  const command = goProgram('nats-server');
  if (command === null) throw new Error('nats-server is not installed: run `npm run servers -- install`.');
  mkdirSync(accountsDir(dir), { recursive: true, mode: 0o700 });
  await ensurePort(dir, settings, 'nats');
  await ensurePort(dir, settings, 'natsMonitor');
  writeConfig(dir, settings);
  startDetached({ dir, name: 'nats', command, args: ['-c', configFile(dir)], env: { PATH: process.env['PATH'] } });
  await untilReady(dir, 'nats', async () => await isReady(settings));
};

/** Makes a running server read the account files again; connections of unchanged users stay. */
export const reloadNats = (dir: string, settings: Settings): void => {
  const pid = runningPid(dir, 'nats');
  if (pid === null) throw new Error('nats-server does not run: run `npm run servers -- up`.');
  writeConfig(dir, settings);
  process.kill(pid, 'SIGHUP');
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
