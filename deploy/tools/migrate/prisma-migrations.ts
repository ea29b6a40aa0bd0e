/** Prisma's part of a service's migrations: its files, its ledger, its command. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

export type Login = { readonly url: string; readonly password: string };
type Migration = { readonly name: string; readonly checksum: string };
export type Ledger = {
  /** Checksum by name of what was applied to its end. */
  readonly applied: ReadonlyMap<string, string>;
  /** What began and did not end: its Job was killed, or its SQL was refused. */
  readonly unfinished: readonly { readonly name: string; readonly began: Date; readonly logs: string | null }[];
};

/** What the command inherits: where programs and certificates are, and nothing else. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** The migrations of a service's folder, in order, with the checksums that the ledger has for them. */
export function migrationsIn(room: string): Migration[] {
  const folder = join(room, 'prisma', 'migrations');
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
  const there = await client.query(`select from pg_class where oid = to_regclass('public._prisma_migrations')`);
  if (there.rowCount === 0) return { applied: new Map(), unfinished: [] };
  const { rows } = await client.query<{
    name: string;
    checksum: string;
    began: Date;
    done: boolean;
    logs: string | null;
  }>(
    `select migration_name as name, checksum, started_at as began, finished_at is not null as done, logs
       from public._prisma_migrations where rolled_back_at is null order by started_at`,
  );
  return {
    applied: new Map(rows.filter(({ done }) => done).map(({ name, checksum }) => [name, checksum])),
    unfinished: rows.filter(({ done }) => !done),
  };
}

/**
 * Settles what began and did not end: the row is taken as rolled back, and where all of it is there, another one says so.
 * @param checksum of the file, where it counts as applied
 */
export async function settleUnfinished(client: pg.Client, name: string, checksum: string | undefined): Promise<void> {
  const settle = `update public._prisma_migrations set rolled_back_at = now()
    where migration_name = $1 and finished_at is null and rolled_back_at is null`;
  const enter = `insert into public._prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    values (gen_random_uuid()::text, $2, $1, now(), now(), 0)`;
  await client.query('begin');
  await client.query(settle, [name]);
  if (checksum !== undefined) await client.query(enter, [name, checksum]);
  await client.query('commit');
}

/**
 * Runs `prisma migrate deploy`. It is ended once it has said that it is done: it would go on for ten seconds, until a timer of
 * its lock runs out. The ledger, not its exit code, tells whether it did its work.
 * @returns what it said
 */
export function deployMigrations(room: string, { url, password }: Login): Promise<string> {
  return new Promise((resolve, reject) => {
    const given = inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    const env = {
      ...(Object.fromEntries(given) as Record<string, string>),
      ...{ DATABASE_URL: url, DATABASE_PASSWORD: password },
      // It asks nobody in the internet whether there is a newer one.
      ...{ CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', NO_COLOR: '1' },
    };
    // Its program, not its shell script: the image has no shell.
    const program = join(room, 'node_modules', 'prisma', 'build', 'index.js');
    const child = spawn(process.execPath, [program, 'migrate', 'deploy'], {
      cwd: room,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        said += String(data);
        if (/successfully applied\.|No pending migrations|A migration failed to apply/.test(said)) child.kill();
      });
    }
    child.once('error', reject);
    child.once('close', () => resolve(said.trim()));
  });
}
