/**
 * Brings one service's database up to date, as its owner:
 *   DATABASE_URL=postgresql://catalog_owner@host/catalog DATABASE_PASSWORD=… node deploy/tools/migrate/main.ts catalog
 *   … node deploy/tools/migrate/main.ts catalog --rolled-back <migration> | --applied <migration>
 * The second form resolves an unfinished migration. The password may be `file:<path>`.
 * Waits for PostgreSQL (MIGRATE_REACH_TIMEOUT, 2m) and for another migration of the same database (MIGRATE_LOCK_TIMEOUT,
 * 5m). Exit code 0 if the database is up to date, 1 with one sentence if not, 2 for wrong usage, 143 if it was
 * stopped while waiting.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { duration, or, readConfig, secret, url } from '@vds/chassis/config/config';
import { messageOf } from '@vds/chassis/errors';
import { migrate, resolveMigration } from './migrations.ts';

const usage =
  'usage: node deploy/tools/migrate/main.ts <service that has a database> [--rolled-back NAME | --applied NAME]';

type Arguments = { readonly service: string; readonly name?: string; readonly as?: 'applied' | 'rolled-back' };

function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'rolled-back': { type: 'string' }, applied: { type: 'string' } },
  });
  const [service = '', ...rest] = positionals;
  const known =
    /^[a-z0-9-]+$/.test(service) && existsSync(new URL(`../../../services/${service}/prisma`, import.meta.url));
  if (!known || rest.length > 0) throw new Error(`got '${positionals.join(' ')}'`);
  const { applied, 'rolled-back': rolledBack } = values;
  if (applied !== undefined && rolledBack !== undefined)
    throw new Error('--applied and --rolled-back exclude each other');
  if (applied !== undefined) return { service, name: applied, as: 'applied' };
  return rolledBack === undefined ? { service } : { service, name: rolledBack, as: 'rolled-back' };
}

async function run({ service, name, as }: Arguments, signal: AbortSignal): Promise<void> {
  const { connectTimeoutMs, lockTimeoutMs, ...login } = readConfig({
    url: ['DATABASE_URL', url],
    password: ['DATABASE_PASSWORD', secret],
    connectTimeoutMs: ['MIGRATE_REACH_TIMEOUT', or(duration, 120_000)],
    lockTimeoutMs: ['MIGRATE_LOCK_TIMEOUT', or(duration, 300_000)],
  });
  const log = (line: string): void => void process.stdout.write(`${service}: ${line}\n`);
  const wait = { connectTimeoutMs, lockTimeoutMs, signal, log };
  if (name !== undefined && as !== undefined) {
    await resolveMigration(service, name, as, login, wait);
    log(`${name} is marked as ${as}`);
    return;
  }
  const applied = await migrate(service, login.url, login.password, wait);
  log(applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`);
}

function fail(error: unknown, code: number): void {
  process.stderr.write(`migrate: ${messageOf(error)}\n`);
  process.exitCode = code;
}

// Process 1 of a container ignores signals without a handler. A running migration finishes.
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

let args: Arguments | undefined;
try {
  args = readArguments();
} catch (error) {
  fail(`${messageOf(error)}; ${usage}`, 2);
}
if (args) await run(args, stopping.signal).catch((error: unknown) => fail(error, stopping.signal.aborted ? 143 : 1));
