/** Ports and passwords of one servers folder: chosen once, kept in `<dir>/settings.json`. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomSecret } from '@vds/deploy-tools/installation';
import { freePort, portIsFree } from './free-port.ts';

export type Settings = {
  ports: { postgres: number; nats: number; natsMonitor: number; s3: number; opensearch: number };
  passwords: { postgres: string; nats: string; s3: string };
  /** Folder of the database cluster; outside of `dir` only if the server's user cannot reach `dir`. */
  postgresDir: string;
  /** Whether PostgreSQL syncs to disk; off only for tests. */
  durable: boolean;
  /** PEM files; with them the servers speak only TLS, at `localhost`, the name of the certificate. */
  tls?: TlsFiles;
};

export type TlsFiles = { certFile: string; keyFile: string; caFile: string };

/** The stored settings, or new ones with free ports and random passwords. */
export async function openSettings(dir: string, durable: boolean): Promise<Settings> {
  const stored = readSettings(dir);
  if (stored !== null) return { ...stored, durable };
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const settings: Settings = {
    ports: {
      postgres: await freePort(),
      nats: await freePort(),
      natsMonitor: await freePort(),
      s3: await freePort(),
      opensearch: await freePort(),
    },
    passwords: { postgres: randomSecret(), nats: randomSecret(), s3: randomSecret() },
    postgresDir: join(dir, 'postgres'),
    durable,
  };
  saveSettings(dir, settings);
  return settings;
}

/** The address of a server: of its certificate's name with TLS, without TLS of the loopback interface. */
export function serverUrl(settings: Settings, name: 'nats' | 's3'): string {
  const [plain, encrypted] = { nats: ['nats', 'tls'], s3: ['http', 'https'] }[name];
  return `${settings.tls ? encrypted : plain}://${serverHost(settings)}:${settings.ports[name]}`;
}

export function serverHost({ tls }: Settings): string {
  return tls ? 'localhost' : '127.0.0.1';
}

/** The stored settings; null if `up` never ran. */
export function readSettings(dir: string): Settings | null {
  const file = join(dir, 'settings.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Settings) : null;
}

/** Stores the settings. */
export function saveSettings(dir: string, settings: Settings): void {
  return writePrivate(join(dir, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}

/** Writes a file that only its owner can read, atomically. */
export function writePrivate(file: string, text: string): void {
  const part = `${file}.part-${process.pid}`;
  writeFileSync(part, text, { mode: 0o600 });
  chmodSync(part, 0o600);
  renameSync(part, file);
}

/** Replaces a stored port that another program has taken since; to be called only while our own server is down. */
export async function ensurePort(dir: string, settings: Settings, name: keyof Settings['ports']): Promise<number> {
  if (!(await becomesFree(settings.ports[name]))) {
    settings.ports[name] = await freePort();
    saveSettings(dir, settings);
  }
  return settings.ports[name];
}

/** A killed multi-threaded program exits a moment before its socket is closed. */
async function becomesFree(port: number): Promise<boolean> {
  for (const pauseMs of [50, 100, 200, 400, 800]) {
    if (await portIsFree(port)) return true;
    await pause(pauseMs);
  }
  return await portIsFree(port);
}
