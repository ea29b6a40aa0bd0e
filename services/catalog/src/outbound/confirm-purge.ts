/** Answers to removals: the ledger's row is confirmed once its owner says that nothing is left. */
import type { Pool } from '@vds/chassis/database/database';
import type { PurgeScope } from '../domain/purges.ts';

export type PurgeAnswer = {
  readonly videoId: string;
  readonly owner: string;
  readonly scope: PurgeScope;
  readonly keepAttempt: number;
};

/**
 * An answer to an earlier asking, which kept another attempt, confirms nothing.
 * @returns whether a row was waiting for it
 */
export async function confirmPurge(pool: Pool, answer: PurgeAnswer): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'catalog-confirm-purge',
    text: `UPDATE purges SET confirmed_at = now(), remind_at = NULL
      WHERE video_id = $1 AND owner = $2 AND scope = $3 AND confirmed_at IS NULL
        AND (scope = 'VIDEO' OR keep_attempt = $4)`,
    values: [answer.videoId, answer.owner, answer.scope, answer.keepAttempt],
  });
  return rowCount === 1;
}
