/**
 * Brings one service's database up to date, as its owner:
 *   DATABASE_URL=postgresql://catalog_owner@host/catalog DATABASE_PASSWORD=… node deploy/tools/migrate/main.ts catalog
 * The password may be `file:<path>`; with DATABASE_AUTH=aws or google there is none. Waits for PostgreSQL (MIGRATE_REACH_TIMEOUT, 2m), and for another migration of the
 * same database or a session that has locked a table it changes (MIGRATE_LOCK_TIMEOUT, 5m each). Exit code 0 if the
 * database is up to date, 1 with one sentence if not, 2 for wrong usage, 143 if stopped while waiting.
 */
import { existsSync } from 'node:fs';
import { duration, readConfig, secret, url, withDefault } from '@vds/chassis/config/config';
import { passwordIn } from '@vds/chassis/database/login';
import { messageOf } from '@vds/chassis/errors';
import { migrate } from './migrations.ts';

const usage = 'usage: node deploy/tools/migrate/main.ts <service that has a database>';

/** @throws Error unless the one argument is such a service */
function readService([service = '', ...rest]: readonly string[]): string {
  const known =
    /^[a-z0-9-]+$/.test(service) && existsSync(new URL(`../../../services/${service}/prisma`, import.meta.url));
  if (!known || rest.length > 0) throw new Error(`got '${[service, ...rest].join(' ')}'`);
  return service;
}

async function run(service: string, signal: AbortSignal): Promise<void> {
  const { connectTimeoutMs, lockTimeoutMs, ...login } = readConfig({
    url: ['DATABASE_URL', url],
    connectTimeoutMs: ['MIGRATE_REACH_TIMEOUT', withDefault(duration, 120_000)],
    lockTimeoutMs: ['MIGRATE_LOCK_TIMEOUT', withDefault(duration, 300_000)],
  });
  const log = (line: string): void => void process.stdout.write(`${service}: ${line}\n`);
  const password = passwordIn(process.env, login.url) ?? secret(undefined, 'DATABASE_PASSWORD');
  const wait = { connectTimeoutMs, lockTimeoutMs, signal, log };
  const applied = await migrate(service, login.url, password, wait);
  log(applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`);
}

function fail(error: unknown, code: number): void {
  process.stderr.write(`migrate: ${messageOf(error)}\n`);
  process.exitCode = code;
}

// Process 1 of a container ignores signals without a handler. A running migration finishes.
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

let service: string | undefined;
try {
  service = readService(process.argv.slice(2));
} catch (error) {
  fail(`${messageOf(error)}; ${usage}`, 2);
}
if (service !== undefined)
  await run(service, stopping.signal).catch((error: unknown) => fail(error, stopping.signal.aborted ? 143 : 1));
