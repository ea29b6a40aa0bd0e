/**
 * The hot statement: checks a key and takes one place in its minute, in one round trip. The window is exact: never more
 * than the limit is admitted in any span of its length, by the database's clock, however many replicas ask.
 */
import type { Executor } from '@vds/chassis/database/database';
import type { SecretHash } from './key-hash.ts';

export type Decision = {
  readonly keyId: string;
  readonly publisherId: string;
  readonly budgetId: string;
  readonly scopes: string[];
  readonly dailyLimit: number;
  /** The pepper that the stored hash was made with. */
  readonly pepperId: string;
  readonly minute: {
    /** False: the limit is reached, nothing was taken. */
    readonly admitted: boolean;
    readonly limit: number;
    readonly remaining: number;
    /** Whole seconds after which a request is admitted; 0 when this one was. */
    readonly retryAfterSeconds: number;
  };
};

/**
 * $1 id, $2/$3 and $4/$5 pepper and hash, $6 length of the window.
 * - A wrong secret finds no row of `api_keys`, so nothing is inserted: it cannot touch the key's window. It is a
 *   comparison of two HMACs under a pepper that the caller does not know; their common prefix tells him nothing.
 * - ON CONFLICT locks the window's row first and computes SET from its newest version, so decisions about one key happen
 *   one after the other; the clock is read after the lock and never runs back.
 * - `places` rises, so a binary search (width_bucket) finds how many have left the window: those at or before its start.
 * - A refused request changes no place. A request passes once the place that is `limit` from the end has left.
 */
const statement = `
WITH key AS (
  SELECT id, publisher_id, budget_id, scopes, minute_limit, daily_limit, pepper_id
  FROM api_keys
  WHERE id = $1 AND revoked_at IS NULL
    AND ((pepper_id = $2 AND secret_hash = $3) OR (pepper_id = $4 AND secret_hash = $5))
), decision AS (
  INSERT INTO minute_windows AS w (key_id, places, minute_limit, admitted, decided_at)
  SELECT key.id, ARRAY[first.now], key.minute_limit, true, first.now
  FROM key, (SELECT clock_timestamp() AS now) first
  ON CONFLICT (key_id) DO UPDATE SET (places, minute_limit, admitted, decided_at) = (
    SELECT
      CASE WHEN cardinality(live.places) < excluded.minute_limit THEN live.places || clock.now ELSE live.places END,
      excluded.minute_limit,
      cardinality(live.places) < excluded.minute_limit,
      clock.now
    FROM (SELECT greatest(clock_timestamp(), w.decided_at) AS now) clock,
      LATERAL (SELECT w.places[width_bucket(clock.now - $6::interval, w.places) + 1:] AS places OFFSET 0) live
  )
  RETURNING *
)
SELECT key.id, key.publisher_id, key.budget_id, key.scopes, key.daily_limit, key.pepper_id,
  d.admitted, d.minute_limit, greatest(d.minute_limit - cardinality(d.places), 0) AS remaining,
  CASE WHEN d.admitted THEN 0 ELSE ceil(extract(epoch FROM
    d.places[cardinality(d.places) - d.minute_limit + 1] + $6::interval - d.decided_at))::int END AS retry_after
FROM key, decision d`;

type Row = {
  id: string;
  publisher_id: string;
  budget_id: string;
  scopes: string[];
  daily_limit: number;
  pepper_id: string;
  admitted: boolean;
  minute_limit: number;
  remaining: number;
  retry_after: number;
};

/**
 * Decides one request.
 * @param candidates what the stored hash may be
 * @param windowMs length of the window in milliseconds
 * @returns null for a key that is unknown, revoked or has another secret; then nothing was changed
 */
export async function decide(
  db: Executor,
  keyId: string,
  candidates: readonly [SecretHash, SecretHash],
  windowMs: number,
): Promise<Decision | null> {
  const [a, b] = candidates;
  const { rows } = await db.query<Row>({
    name: 'auth-decide',
    text: statement,
    values: [keyId, a.pepperId, a.hash, b.pepperId, b.hash, `${windowMs} milliseconds`],
  });
  const row = rows[0];
  if (!row) return null;
  const { admitted, minute_limit: limit, remaining, retry_after: retryAfterSeconds } = row;
  return {
    keyId: row.id,
    publisherId: row.publisher_id,
    budgetId: row.budget_id,
    scopes: row.scopes,
    dailyLimit: row.daily_limit,
    pepperId: row.pepper_id,
    minute: { admitted, limit, remaining, retryAfterSeconds },
  };
}

/**
 * Forgets the windows of keys that were idle for two windows or longer.
 * @returns how many
 */
export async function pruneWindows(db: Executor, windowMs: number): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM minute_windows WHERE decided_at < clock_timestamp() - $1::interval',
    [`${2 * windowMs} milliseconds`],
  );
  return rowCount ?? 0;
}
