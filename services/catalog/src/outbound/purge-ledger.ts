/** The ledger of purges: one row per owner and scope, republished until that owner confirms it. */
import { randomUUID } from 'node:crypto';
import type { Pool } from '@vds/chassis/database/database';

type Confirmation = { readonly videoId: string; readonly owner: string; readonly requestId: string };
/** An attempt that an owner works on. */
type Work = { readonly videoId: string; readonly owner: string; readonly attempt: number };
export type PurgeLedger = ReturnType<typeof openPurgeLedger>;

const confirmSql = `UPDATE purges SET confirmed_at = now(), next_republish_at = NULL
  WHERE video_id = $1 AND owner = $2 AND request_id = $3 AND confirmed_at IS NULL`;
const repeatSql = `UPDATE purges SET confirmed_at = NULL, request_id = $4, due_at = now(), next_republish_at = now(),
    republished = 0
  WHERE video_id = $1 AND owner = $2 AND confirmed_at IS NOT NULL
    AND (scope = 'VIDEO' OR (scope = 'OTHER_ATTEMPTS' AND keep_attempt > $3))`;

export function openPurgeLedger(pool: Pool) {
  const update = async (name: string, text: string, values: readonly unknown[]): Promise<boolean> =>
    ((await pool.query({ name, text, values: [...values] })).rowCount ?? 0) > 0;
  return {
    /**
     * Confirms a purge: its owner has verified that nothing is left. A confirmation of an earlier request confirms
     * nothing: what was written since is not yet purged.
     * @returns whether a row was waiting for it
     */
    confirmPurge: ({ videoId, owner, requestId }: Confirmation): Promise<boolean> =>
      update('catalog-confirm-purge', confirmSql, [videoId, owner, requestId]),
    /**
     * Reopens the confirmed purge that covers an attempt: its owner has started to work on it since.
     * @returns false if there is none
     */
    repeatPurge: ({ videoId, owner, attempt }: Work): Promise<boolean> =>
      update('catalog-repeat-purge', repeatSql, [videoId, owner, attempt, randomUUID()]),
  };
}
