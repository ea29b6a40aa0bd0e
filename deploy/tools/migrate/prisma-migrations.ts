/** A service's migrations in the format of Prisma: files and ledger. Prisma's command line writes the same for developers. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

type MigrationFile = { readonly name: string; readonly sql: string; readonly checksum: string };

const LEDGER = `create table if not exists public._prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
  logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0)`;

/** The migrations of a service's folder, in order, with the checksums that the ledger has for them. */
export function migrationsIn(serviceFolder: string): MigrationFile[] {
  const folder = join(serviceFolder, 'prisma', 'migrations');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: digest(sql) };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Name → checksum of every migration that was applied. */
export async function readLedger(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  await client.query(LEDGER);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from public._prisma_migrations
      where finished_at is not null and rolled_back_at is null`,
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Adds a migration that was applied. */
export function recordApplied(client: pg.Client, name: string, checksum: string): Promise<unknown> {
  const insert = `insert into public._prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    values (gen_random_uuid()::text, $2, $1, now(), now(), 1)`;
  return client.query(insert, [name, checksum]);
}
