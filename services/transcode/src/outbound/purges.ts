/** Purges as units of work, in a group of their own: what ends a video's work must not end its purge. */
import type { Executor } from '@vds/shared/database';
import type { Purge } from './says.ts';

export const purgeGroup = (videoId: string): string => `purge/${videoId}`;

/** Suffix of the second look after the longest lease. */
export const lateLook = 'late';

/** How many purges of this kind wait or run; a late look is none. */
export const pendingPurges = async (client: Executor, { videoId, scope, keepAttempt }: Purge): Promise<number> => {
  const { rows } = await client.query<{ pending: number }>(
    `SELECT count(*) AS pending FROM chassis.work
     WHERE queue = 'purge' AND group_key = $1 AND state IN ('ready', 'running') AND starts_with(unit, $2)`,
    [purgeGroup(videoId), `${scope}-${keepAttempt}-`],
  );
  return rows[0]?.pending ?? 0;
};
