/**
 * The hot statement: checks a key and counts the request against its minute limit, in one round trip. The sliding window
 * is exact: no span of its length admits more than the limit, by the database's clock, across any number of replicas.
 */
import { randomUUID } from 'node:crypto';
import type { Executor } from '@vds/chassis/database/database';
import type { SecretHash } from './key-hash.ts';

export type Decision = {
  readonly keyId: string;
  readonly publisherId: string;
  readonly budgetId: string;
  readonly scopes: string[];
  readonly dailyLimit: number;
  /** The pepper of the stored hash. */
  readonly pepperId: string;
  readonly minute: {
    /** False: the limit is reached and the request does not count. */
    readonly admitted: boolean;
    readonly limit: number;
    readonly remaining: number;
    /** Whole seconds until a request is admitted; 0 when this one was. */
    readonly retryAfterSeconds: number;
  };
};

/**
 * $1 id, $2/$3 and $4/$5 pepper and hash, $6 length of the window, $7 id of the request.
 * - A wrong secret matches no row of `api_keys`, so nothing is inserted and the key's window stays untouched. Two HMACs
 *   under a pepper that the caller does not know are compared; timing reveals nothing about the secret.
 * - ON CONFLICT locks the window's row and computes SET from its latest version, so decisions about one key are
 *   serialised; the clock is read after the lock and never runs backwards.
 * - `request_times` is ascending, so a binary search (width_bucket) finds those that have left the window.
 * - A request that is in the window already is another attempt at the same one: admitted, and not counted again.
 * - A rejected request is not recorded. The next one is admitted once the `limit`-th request from the end has left.
 */
const statement = `
WITH key AS (
  SELECT k.id, publisher_id, budget_id, scopes, minute_limit, daily_limit, pepper_id
  FROM api_keys k JOIN publishers p ON p.id = publisher_id
  WHERE k.id = $1 AND revoked_at IS NULL AND suspended_at IS NULL
    AND ((pepper_id = $2 AND secret_hash = $3) OR (pepper_id = $4 AND secret_hash = $5))
), decision AS (
  INSERT INTO minute_windows AS w (key_id, request_times, request_ids, minute_limit, admitted, decided_at)
  SELECT key.id, ARRAY[first.now], ARRAY[hashtextextended($7, 0)], key.minute_limit, true, first.now
  FROM key, (SELECT clock_timestamp() AS now) first
  ON CONFLICT (key_id) DO UPDATE SET (request_times, request_ids, minute_limit, admitted, decided_at) = (
    SELECT
      CASE WHEN counts THEN live.request_times || clock.now ELSE live.request_times END,
      CASE WHEN counts THEN live.request_ids || excluded.request_ids ELSE live.request_ids END,
      excluded.minute_limit,
      counts OR is_repeated,
      clock.now
    FROM (SELECT greatest(clock_timestamp(), w.decided_at) AS now) clock,
      LATERAL (SELECT width_bucket(clock.now - $6::interval, w.request_times) + 1 AS first OFFSET 0) span,
      LATERAL (
        SELECT w.request_times[span.first:] AS request_times, w.request_ids[span.first:] AS request_ids OFFSET 0
      ) live,
      LATERAL (SELECT excluded.request_ids <@ live.request_ids AS is_repeated OFFSET 0) earlier,
      LATERAL (
        SELECT NOT is_repeated AND cardinality(live.request_times) < excluded.minute_limit AS counts OFFSET 0
      ) decision
  )
  RETURNING *
)
SELECT key.id AS "keyId", key.publisher_id AS "publisherId", key.budget_id AS "budgetId", key.scopes,
  key.daily_limit AS "dailyLimit", key.pepper_id AS "pepperId", d.admitted, d.minute_limit AS "limit",
  greatest(d.minute_limit - cardinality(d.request_times), 0) AS remaining,
  CASE WHEN d.admitted THEN 0 ELSE ceil(extract(epoch FROM
    d.request_times[cardinality(d.request_times) - d.minute_limit + 1] + $6::interval - d.decided_at
  ))::int END AS "retryAfterSeconds"
FROM key, decision d`;

/**
 * Decides one request.
 * @param candidates every possible stored hash
 * @param windowMs length of the window in milliseconds
 * @param requestId the same for every attempt at one request
 * @returns null for a key that is unknown, revoked, of a suspended publisher, or has another secret; then nothing is written
 */
export async function decide(
  db: Executor,
  keyId: string,
  candidates: readonly [SecretHash, SecretHash],
  windowMs: number,
  requestId: string = randomUUID(),
): Promise<Decision | null> {
  const [a, b] = candidates;
  const { rows } = await db.query<Omit<Decision, 'minute'> & Decision['minute']>({
    name: 'auth-decide',
    text: statement,
    values: [keyId, a.pepperId, a.hash, b.pepperId, b.hash, `${windowMs} milliseconds`, requestId],
  });
  const [row] = rows;
  if (!row) return null;
  const { admitted, limit, remaining, retryAfterSeconds, ...key } = row;
  return { ...key, minute: { admitted, limit, remaining, retryAfterSeconds } };
}

/**
 * Deletes the windows of keys that have been idle for two windows or longer.
 * @returns how many
 */
export async function pruneWindows(db: Executor, windowMs: number): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM minute_windows WHERE decided_at < clock_timestamp() - $1::interval',
    [`${2 * windowMs} milliseconds`],
  );
  return rowCount ?? 0;
}
