/** What is sealed under the previous secret is sealed again under the current one, so that the previous may go. */
import type { Pool } from '@vds/chassis/database/database';
import { reseal, type SealingSecrets } from './sealed.ts';

const SEALED = [
  { table: 'signing_keys', id: 'kid', column: 'sealed_private_key' },
  { table: 'organizations', id: 'id', column: 'sealed_viewer_key' },
] as const;

/**
 * Opens every row that is sealed, and seals those of the previous secret again.
 * @returns how many those were
 * @throws AppError INTERNAL for the first row that neither secret opens
 */
export async function resealRows(pool: Pool, secrets: SealingSecrets): Promise<number> {
  let moved = 0;
  for (const { table, id, column } of SEALED) {
    const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
      `SELECT ${id} AS id, ${column} AS sealed FROM ${table} ORDER BY ${id}`,
    );
    for (const row of rows) {
      const again = reseal(secrets, row.id, row.sealed);
      if (again === undefined) continue;
      // Only what was read: another replica may have sealed it meanwhile.
      const text = `UPDATE ${table} SET ${column} = $3 WHERE ${id} = $1 AND ${column} = $2`;
      await pool.query(text, [row.id, row.sealed, again]);
      moved += 1;
    }
  }
  return moved;
}
