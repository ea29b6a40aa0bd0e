/** Every decision about a key's minute, logged by the database itself in the order of the decisions. */
import type { Pool } from '@vds/chassis/database/database';

/** Times in microseconds of the database's clock. */
export type Decision = { readonly admitted: boolean; readonly at: number };

// The trigger runs inside the deciding statement, under the lock of the key's row: n ascends in the order of decisions.
const install = `
  CREATE SCHEMA decision_log;
  CREATE TABLE decision_log.decisions (n bigserial PRIMARY KEY, key_id text, admitted boolean, at bigint, seen bigint);
  CREATE FUNCTION decision_log.record() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
    INSERT INTO decision_log.decisions (key_id, admitted, at, seen) VALUES (NEW.key_id, NEW.admitted,
      extract(epoch FROM NEW.decided_at) * 1000000, extract(epoch FROM clock_timestamp()) * 1000000);
    RETURN NULL;
  END $$;
  CREATE TRIGGER record AFTER INSERT OR UPDATE ON minute_windows FOR EACH ROW EXECUTE FUNCTION decision_log.record()`;

/** @param pool a superuser's, on auth's database */
export async function logDecisions(pool: Pool): Promise<void> {
  return void (await pool.query(install));
}

/** All decisions about one key, first to last. */
export async function decisionsOf(pool: Pool, keyId: string): Promise<Decision[]> {
  const { rows } = await pool.query<{ admitted: boolean; at: string; seen: string }>(
    'SELECT admitted, at, seen FROM decision_log.decisions WHERE key_id = $1 ORDER BY n',
    [keyId],
  );
  for (const { at, seen } of rows)
    if (Number(at) > Number(seen)) throw new Error('a decision is dated after the moment at which it was made');
  return rows.map(({ admitted, at }) => ({ admitted, at: Number(at) }));
}

/**
 * Checks decisions against the definition of an exact sliding window: a request passes exactly if fewer than `limit`
 * passed in the window that ends with it, (t − window, t].
 * @returns `windows`: one per decision, which ends it; `most`: the most admitted requests in one; `full`: how many
 *   rejected a request at the limit; `wrong`: decisions that contradict the definition
 */
export function checkWindows(decisions: readonly Decision[], limit: number, windowMs: number) {
  const passed: number[] = [];
  let [most, full, wrong, before] = [0, 0, 0, -Infinity];
  for (const { admitted, at } of decisions) {
    const inside = passed.filter((one) => one > at - windowMs * 1_000).length;
    if (admitted !== inside < limit || at < before) wrong += 1;
    if (!admitted && inside === limit) full += 1;
    if (admitted) passed.push(at);
    most = Math.max(most, inside + (admitted ? 1 : 0));
    before = at;
  }
  return { windows: decisions.length, admitted: passed.length, most, full, wrong };
}
