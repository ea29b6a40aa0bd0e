/** Starts, stops and describes the servers of one folder. Every call is idempotent; nothing is started twice. */
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Servers } from './servers-file.ts';
import { until } from '../until.ts';
import { find } from './command.ts';
import { runningPid } from './detached.ts';
import { spareRunning } from './owned-processes.ts';
import { born } from './process-table.ts';
import { confineProgram } from '../programs/confine.ts';
import { embeddingsFolder } from '../programs/embeddings.ts';
import { goProgram } from '../programs/go-programs.ts';
import { installedEngines } from '../programs/language-tools.ts';
import { NATS_USER, startNats, stopNats, writeNatsConfig } from './nats.ts';
import { launchOpenSearch, startOpenSearch, stopOpenSearch } from './opensearch.ts';
import { ADMIN_USER, startPostgres, stopPostgres } from './postgres.ts';
import { S3_REGION, S3_ROOT, startS3, stopS3 } from './s3.ts';
import { openSettings, serverHost, serverUrl, writePrivate, type Settings } from './settings.ts';

export type ServerName = 'postgres' | 'nats' | 's3' | 'opensearch';
export const USUAL_SERVERS: ServerName[] = ['postgres', 'nats', 's3', 'opensearch'];

export type UpOptions = {
  which?: ServerName[];
  /** PostgreSQL syncs to disk (default false: tests do not need it). */
  durable?: boolean;
  /** Does not wait for OpenSearch, which takes the longest: `startStack` does for the services that search. */
  searchLater?: boolean;
  /** OpenSearch starts without the k-NN plug-in, as servers that do not have it. */
  withoutVectors?: boolean;
  /** OpenSearch starts as operators run it, for a benchmark of its speed. */
  asOperated?: boolean;
};

const start = {
  postgres: startPostgres,
  nats: startNats,
  s3: startS3,
  opensearch: startOpenSearch,
} satisfies Record<ServerName, (dir: string, settings: Settings) => Promise<void>>;

const stop = {
  postgres: stopPostgres,
  nats: async (dir: string) => await stopNats(dir),
  s3: stopS3,
  opensearch: stopOpenSearch,
} satisfies Record<ServerName, (dir: string) => Promise<boolean>>;

/** Starts the servers that do not run, writes `<dir>/servers.json` and returns its content. */
export async function up(folder: string, options: UpOptions = {}): Promise<Servers> {
  const { which = USUAL_SERVERS, durable = false, searchLater = false } = options;
  const startSearch = searchLater ? launchOpenSearch : startOpenSearch;
  const dir = resolve(folder);
  return await locked(dir, async () => {
    const settings = await openSettings(dir, durable);
    spareServers(dir);
    await Promise.all(
      which
        .filter((name) => runningPid(dir, name) === null)
        .map((name) => (name === 'opensearch' ? startSearch(dir, settings, options) : start[name](dir, settings))),
    );
    return writeServers(dir, settings, runningPid(dir, 'opensearch') !== null);
  });
}

/** Leaves the servers of this folder that run already to the process that started them; see owned-processes. */
export function spareServers(dir: string): void {
  for (const name of USUAL_SERVERS) {
    const pid = runningPid(dir, name);
    if (pid !== null) spareRunning({ dir, name }, pid);
  }
}

/**
 * Runs the work while no other process starts or stops servers of this folder; takes over the lock of a dead holder.
 */
async function locked<T>(dir: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const file = join(dir, 'lock');
  const take = (): boolean => {
    try {
      const lock = openSync(file, 'wx', 0o600);
      writeSync(lock, `${process.pid} ${born(process.pid)}`);
      closeSync(lock);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const [pid, birth] = readFileSync(file, 'utf8').split(' ');
      if (pid !== undefined && birth !== undefined && born(Number(pid)) !== birth) rmSync(file, { force: true });
      return false;
    }
  };
  await until(take, {
    what: `the lock ${file} (another command is starting or stopping these servers)`,
    capMs: 180_000,
  });
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Writes `<dir>/servers.json`, which every user of a server reads. */
function writeServers(dir: string, settings: Settings, opensearch: boolean): Servers {
  const servers = describe(dir, settings, opensearch);
  writePrivate(join(dir, 'servers.json'), `${JSON.stringify(servers, null, 2)}\n`);
  return servers;
}

/** `opensearch`: whether it runs; a caller may have requested only the other servers. */
function describe(dir: string, settings: Settings, opensearch: boolean): Servers {
  return {
    postgres: {
      host: serverHost(settings),
      port: settings.ports.postgres,
      adminUser: ADMIN_USER,
      adminPassword: settings.passwords.postgres,
      ...(settings.tls && { ssl: { ca: readFileSync(settings.tls.caFile, 'utf8') } }),
    },
    nats: {
      url: serverUrl(settings, 'nats'),
      monitorUrl: `http://127.0.0.1:${settings.ports.natsMonitor}`,
      user: NATS_USER,
      password: settings.passwords.nats,
      binary: goProgram('nats-server') ?? 'nats-server',
      dir,
    },
    s3: {
      endpoint: serverUrl(settings, 's3'),
      region: S3_REGION,
      rootAccessKey: S3_ROOT,
      rootSecretKey: settings.passwords.s3,
    },
    opensearch: opensearch ? { url: `http://127.0.0.1:${settings.ports.opensearch}` } : null,
    ffmpeg: find('ffmpeg'),
    confine: confineProgram(),
    ...installedEngines(),
    embeddings: embeddingsFolder(),
  };
}

/**
 * Prepares the folder for deploy/compose.yaml, where the servers are containers: ports, passwords, the configuration of
 * NATS, and servers.json. Returns the path of the file for `docker compose --env-file`.
 */
export async function prepareCompose(folder: string): Promise<string> {
  const dir = resolve(folder);
  return await locked(dir, async () => {
    const settings = await openSettings(dir, false);
    writeNatsConfig(dir, settings);
    writeServers(dir, settings, true);
    const { ports, passwords } = settings;
    const variables = {
      POSTGRES_PORT: ports.postgres,
      POSTGRES_PASSWORD: passwords.postgres,
      NATS_PORT: ports.nats,
      NATS_MONITOR_PORT: ports.natsMonitor,
      NATS_CONFIG: join(dir, 'nats'),
      S3_PORT: ports.s3,
      S3_SECRET_KEY: passwords.s3,
      OPENSEARCH_PORT: ports.opensearch,
    };
    const file = join(dir, 'compose.env');
    writePrivate(
      file,
      Object.entries(variables)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    return file;
  });
}

/** Pid of every server of this folder, null for those that do not run. */
export function status(folder: string): Record<ServerName, number | null> {
  const dir = resolve(folder);
  const pids = USUAL_SERVERS.map((name) => [name, runningPid(dir, name)] as const);
  return Object.fromEntries(pids) as Record<ServerName, number | null>;
}

/** Stops the servers and deletes the folder with all their data. */
export async function removeServers(folder: string): Promise<void> {
  const dir = resolve(folder);
  await down(dir);
  const settings = existsSync(join(dir, 'settings.json')) ? await openSettings(dir, false) : null;
  if (settings !== null) rmSync(settings.postgresDir, { recursive: true, force: true });
  rmSync(dir, { recursive: true, force: true });
}

/** Stops these servers of this folder, by default all; the data stays. Returns the names of those that ran. */
export async function down(folder: string, which: ServerName[] = USUAL_SERVERS): Promise<ServerName[]> {
  const dir = resolve(folder);
  if (!existsSync(dir)) return [];
  return await locked(dir, async () => {
    const ran = await Promise.all(which.map(async (name) => ((await stop[name](dir)) ? name : null)));
    return ran.filter((name) => name !== null);
  });
}
