/**
 * Brings one service's database up to date, as its owner:
 *   DATABASE_URL=postgresql://catalog_owner@host/catalog DATABASE_PASSWORD=… node deploy/tools/migrate/main.ts catalog
 *   … node deploy/tools/migrate/main.ts catalog --rolled-back <migration> | --applied <migration>
 * The second form says what became of a migration that began and did not end. The password may be `file:<path>`.
 * Waits for PostgreSQL (MIGRATE_REACH_TIMEOUT, 2m) and for another migration of the same database (MIGRATE_LOCK_TIMEOUT,
 * 5m). Exit code 0 when the database is up to date, 1 with one sentence when it is not, 2 for a wrong command line, 143
 * when it was told to stop while it waited.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { duration, readConfig, secret, url, withDefault } from '@vds/chassis/config/config';
import { messageOf } from '@vds/chassis/errors';
import { migrate, resolveMigration } from './migrations.ts';

const usage =
  'usage: node deploy/tools/migrate/main.ts <service that has a database> [--rolled-back NAME | --applied NAME]';

type Asked = { readonly service: string; readonly name?: string; readonly as?: 'applied' | 'rolled-back' };

function readArguments(): Asked {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'rolled-back': { type: 'string' }, applied: { type: 'string' } },
  });
  const [service = '', ...rest] = positionals;
  const known =
    /^[a-z0-9-]+$/.test(service) && existsSync(new URL(`../../../services/${service}/prisma`, import.meta.url));
  if (!known || rest.length > 0) throw new Error(`got '${positionals.join(' ')}'`);
  const { applied, 'rolled-back': rolledBack } = values;
  if (applied !== undefined && rolledBack !== undefined) throw new Error('both --applied and --rolled-back');
  if (applied !== undefined) return { service, name: applied, as: 'applied' };
  return rolledBack === undefined ? { service } : { service, name: rolledBack, as: 'rolled-back' };
}

async function run({ service, name, as }: Asked, signal: AbortSignal): Promise<void> {
  const { reachWithinMs, lockWithinMs, ...login } = readConfig({
    url: ['DATABASE_URL', url],
    password: ['DATABASE_PASSWORD', secret],
    reachWithinMs: ['MIGRATE_REACH_TIMEOUT', withDefault(duration, 120_000)],
    lockWithinMs: ['MIGRATE_LOCK_TIMEOUT', withDefault(duration, 300_000)],
  });
  const say = (line: string): void => void process.stdout.write(`${service}: ${line}\n`);
  const patience = { reachWithinMs, lockWithinMs, signal, say };
  if (name !== undefined && as !== undefined) {
    await resolveMigration(service, name, as, login, patience);
    say(`${name} is marked as ${as}`);
    return;
  }
  const applied = await migrate(service, login.url, login.password, patience);
  say(applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`);
}

function complain(error: unknown, code: number): void {
  process.stderr.write(`migrate: ${messageOf(error)}\n`);
  process.exitCode = code;
}

// Process 1 of a container is not ended by a signal that it does not listen to. What has begun goes on to its end.
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

let asked: Asked | undefined;
try {
  asked = readArguments();
} catch (error) {
  complain(`${messageOf(error)}; ${usage}`, 2);
}
if (asked)
  await run(asked, stopping.signal).catch((error: unknown) => complain(error, stopping.signal.aborted ? 143 : 1));
