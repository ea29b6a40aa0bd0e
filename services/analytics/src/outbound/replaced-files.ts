/** Files that a merge has replaced, and that are removed once their readers are done. */
import type { Executor, Pool } from '@vds/chassis/database/database';

export async function addReplaced(client: Executor, keys: readonly string[]): Promise<void> {
  await client.query('INSERT INTO replaced_files (key) SELECT unnest($1::text[]) ON CONFLICT (key) DO NOTHING', [keys]);
}

/** Those below a prefix. */
export async function listReplaced(client: Executor, prefix: string): Promise<ReadonlySet<string>> {
  const text = 'SELECT key FROM replaced_files WHERE starts_with(key, $1)';
  const { rows } = await client.query<{ key: string }>(text, [prefix]);
  return new Set(rows.map(({ key }) => key));
}

/** Removes what was replaced so long ago, by `remove` first and then from the list. */
export async function removeReplaced(
  pool: Pool,
  keepMs: number,
  remove: (key: string) => Promise<unknown>,
): Promise<void> {
  const { rows } = await pool.query<{ key: string }>(
    `SELECT key FROM replaced_files WHERE replaced_at < now() - $1::float8 * interval '1 ms' ORDER BY replaced_at`,
    [keepMs],
  );
  for (const { key } of rows) {
    await remove(key);
    await pool.query('DELETE FROM replaced_files WHERE key = $1', [key]);
  }
}
