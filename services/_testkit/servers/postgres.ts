/**
 * PostgreSQL: one throw-away cluster on the loopback interface, passwords by SCRAM, never the machine's own cluster.
 */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { executable, find, isRoot, run } from './command.ts';
import { startDetached, stopDetached, untilReady, type User } from './detached.ts';
import { ensurePort, saveSettings, serverHost, type Settings, type TlsFiles } from './settings.ts';

export const ADMIN_USER = 'admin';
const LOCALE_ENV = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' };

/**
 * Starts the server, creating its cluster first if there is none.
 * @param bin the folder of its programs
 */
export async function startPostgres(
  dir: string,
  settings: Settings,
  bin: string | null = postgresBin(),
): Promise<void> {
  if (bin === null) throw new Error('PostgreSQL is not installed: run `npm run servers -- install`.');
  const user = await serverUser();
  if (!existsSync(join(settings.postgresDir, 'data', 'PG_VERSION'))) await createCluster(bin, dir, settings, user);
  const port = await ensurePort(dir, settings, 'postgres');
  const set = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    timezone: 'UTC',
    ...(settings.durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...(settings.tls && tlsOnly(settings, settings.tls, user)),
  };
  const args = [
    '-D',
    join(settings.postgresDir, 'data'),
    ...Object.entries(set).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
  startDetached({
    dir,
    name: 'postgres',
    command: join(bin, 'postgres'),
    args,
    env: LOCALE_ENV,
    stopSignal: 'SIGINT',
    ...(user && { user }),
  });
  await untilReady(dir, 'postgres', async () => await accepts(settings));
}

/** Folder of `initdb` and `postgres`: from PATH, else Debian's newest, else Homebrew's; null if there is none. */
export function postgresBin(): string | null {
  const onPath = find('initdb');
  if (onPath !== null && executable(join(dirname(onPath), 'postgres'))) return dirname(onPath);
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    '/opt/homebrew/opt/postgresql@17/bin',
    '/usr/local/opt/postgresql@17/bin',
  ];
  return folders.find((folder) => executable(join(folder, 'postgres'))) ?? null;
}

/** `pg_dump` or `psql`: from PATH, else next to the server. */
export function postgresClient(name: 'pg_dump' | 'psql'): string {
  return find(name) ?? join(postgresBin() ?? '', name);
}

/** The user `postgres` when this process is root: the server refuses to run as root. */
async function serverUser(): Promise<User | undefined> {
  if (!isRoot()) return undefined;
  return { uid: Number(await run('id', ['-u', 'postgres'])), gid: Number(await run('id', ['-g', 'postgres'])) };
}

async function createCluster(bin: string, dir: string, settings: Settings, user: User | undefined): Promise<void> {
  if (user !== undefined && !passable(dir)) {
    settings.postgresDir = mkdtempSync('/var/tmp/vds-postgres-');
    saveSettings(dir, settings);
  }
  mkdirSync(settings.postgresDir, { recursive: true, mode: 0o700 });
  const data = join(settings.postgresDir, 'data');
  const passwordFile = join(settings.postgresDir, 'password');
  writeFileSync(passwordFile, settings.passwords.postgres, { mode: 0o600 });
  if (user !== undefined) [settings.postgresDir, passwordFile].forEach((path) => chownSync(path, user.uid, user.gid));
  const args = [
    '-D',
    data,
    '-U',
    ADMIN_USER,
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '-E',
    'UTF8',
    '--no-sync',
  ];
  try {
    await run(join(bin, 'initdb'), [...args, '--locale=C.UTF-8'], { cwd: '/', env: LOCALE_ENV, user });
  } catch (error) {
    rmSync(data, { recursive: true, force: true }); // an incomplete cluster is useless
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Settings of a server that rejects every connection without TLS. Only its user may read the key. */
function tlsOnly({ postgresDir }: Settings, { certFile, keyFile }: TlsFiles, user: User | undefined) {
  const file = {
    ssl_cert_file: join(postgresDir, 'server.crt'),
    ssl_key_file: join(postgresDir, 'server.key'),
    hba_file: join(postgresDir, 'hba.conf'),
  };
  copyFileSync(certFile, file.ssl_cert_file);
  copyFileSync(keyFile, file.ssl_key_file);
  writeFileSync(file.hba_file, 'hostssl all all all scram-sha-256\n');
  for (const path of Object.values(file)) {
    chmodSync(path, 0o600);
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
  return { ssl: 'on', ...file };
}

/** Whether another user can traverse this folder and every folder above it. */
function passable(folder: string): boolean {
  return (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || passable(dirname(folder)));
}

/** Whether the server accepts our password. */
async function accepts(settings: Settings): Promise<boolean> {
  const client = new pg.Client({
    host: serverHost(settings),
    port: settings.ports.postgres,
    ssl: settings.tls && { ca: readFileSync(settings.tls.caFile) },
    user: ADMIN_USER,
    password: settings.passwords.postgres,
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false; // not yet
  } finally {
    await client.end();
  }
}

/** Stops the server without waiting for its clients (PostgreSQL's "fast"). */
export async function stopPostgres(dir: string): Promise<boolean> {
  return await stopDetached(dir, 'postgres', 'SIGINT');
}
