/** Prisma's migrations of a service: files, ledger, command. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

export type Login = { readonly url: string; readonly password: string };
type Migration = { readonly name: string; readonly checksum: string };
export type Ledger = {
  /** Name → checksum of every migration that finished. */
  readonly applied: ReadonlyMap<string, string>;
  /** Started and not finished: the Job was killed, or PostgreSQL rejected the SQL. */
  readonly unfinished: readonly { readonly name: string; readonly startedAt: Date; readonly logs: string | null }[];
};

/** The variables that the command inherits: locations of programs and certificates. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** The migrations of a service's folder, in order, with the checksums that the ledger has for them. */
export function migrationsIn(serviceFolder: string): Migration[] {
  const folder = join(serviceFolder, 'prisma', 'migrations');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, checksum: digest(readFileSync(join(folder, name, 'migration.sql'), 'utf8')) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export async function readLedger(client: pg.Client): Promise<Ledger> {
  const table = await client.query(`select from pg_class where oid = to_regclass('public._prisma_migrations')`);
  if (table.rowCount === 0) return { applied: new Map(), unfinished: [] };
  const { rows } = await client.query<{
    name: string;
    checksum: string;
    startedAt: Date;
    done: boolean;
    logs: string | null;
  }>(
    `select migration_name as name, checksum, started_at as "startedAt", finished_at is not null as done, logs
       from public._prisma_migrations where rolled_back_at is null order by started_at`,
  );
  return {
    applied: new Map(rows.filter(({ done }) => done).map(({ name, checksum }) => [name, checksum])),
    unfinished: rows.filter(({ done }) => !done),
  };
}

/**
 * Resolves an unfinished migration: marks its row as rolled back and, if the migration counts as applied, adds a finished row.
 * @param checksum of the file, if the migration counts as applied
 */
export async function resolveUnfinished(client: pg.Client, name: string, checksum: string | undefined): Promise<void> {
  const rollBack = `update public._prisma_migrations set rolled_back_at = now()
    where migration_name = $1 and finished_at is null and rolled_back_at is null`;
  const insert = `insert into public._prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    values (gen_random_uuid()::text, $2, $1, now(), now(), 0)`;
  await client.query('begin');
  await client.query(rollBack, [name]);
  if (checksum !== undefined) await client.query(insert, [name, checksum]);
  await client.query('commit');
}

/**
 * Runs `prisma migrate deploy`, and kills it as soon as it reports the result: it would idle for ten more seconds, until a
 * timer of its lock fires. Success is read from the ledger, not from its exit code.
 * @returns its output
 */
export function deployMigrations(serviceFolder: string, { url, password }: Login): Promise<string> {
  return new Promise((resolve, reject) => {
    const passed = inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    const env = {
      ...(Object.fromEntries(passed) as Record<string, string>),
      ...{ DATABASE_URL: url, DATABASE_PASSWORD: password },
      // No lookup of newer versions on the internet.
      ...{ CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', NO_COLOR: '1' },
    };
    // The program, not its shell wrapper: the image has no shell.
    const program = join(serviceFolder, 'node_modules', 'prisma', 'build', 'index.js');
    const child = spawn(process.execPath, [program, 'migrate', 'deploy'], {
      cwd: serviceFolder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += String(data);
        if (/successfully applied\.|No pending migrations|A migration failed to apply/.test(output)) child.kill();
      });
    }
    child.once('error', reject);
    child.once('close', () => resolve(output.trim()));
  });
}
