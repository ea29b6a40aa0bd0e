/** Jobs as the operator sees them. */
import type { Executor } from '../database/database.ts';
import type { Phases } from './phases.ts';
import type { BlockedBy } from './retry-decision.ts';

export type ListedJob = {
  readonly id: number;
  readonly videoId: string;
  readonly attempt: number;
  readonly revision: number;
  readonly stage: string;
  readonly queue: string;
  readonly name: string;
  readonly state: string;
  readonly tries: number;
  readonly crashes: number;
  readonly quarantined: boolean;
  readonly blockedSince: Date | null;
  readonly blockedBy: BlockedBy | null;
  readonly progress: number;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly runAfter: Date;
  readonly leaseUntil: Date | null;
  readonly origin: string;
  readonly claimedBy: string | null;
  /** When it was claimed last, and when that try ended it. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly phases: Phases | null;
  /** Of a job that may be claimed now, if a video is requested; else null. */
  readonly olderReady: number | null;
};
/** An empty video or state: any. `afterId`: the last one of the previous page, 0 for the first page. */
export type JobsQuery = {
  readonly videoId: string;
  readonly state: string;
  readonly afterId: number;
  readonly limit: number;
};

/** Beyond this many no exact number is reported. */
const MAX_COUNTED = 1_000;

/** Oldest first. */
export async function listJobRows(
  client: Executor,
  { videoId, state, afterId, limit }: JobsQuery,
): Promise<readonly ListedJob[]> {
  const { rows } = await client.query<ListedJob>(
    `SELECT id, video_id AS "videoId", attempt, revision, stage, queue, name, state, tries, crashes, quarantined,
       blocked_since AS "blockedSince", blocked_by AS "blockedBy", progress, error, created_at AS "createdAt",
       run_after AS "runAfter", lease_until AS "leaseUntil", origin, claimed_by AS "claimedBy", started_at AS "startedAt",
       finished_at AS "finishedAt", phases,
       CASE WHEN $2 <> '' AND state = 'ready' AND run_after <= now() THEN (
         SELECT count(*) FROM (
           SELECT FROM chassis.jobs older
           WHERE older.queue = jobs.queue AND older.state = 'ready' AND older.run_after < jobs.run_after
           LIMIT ${MAX_COUNTED}) counted)::int END AS "olderReady"
     FROM chassis.jobs
     WHERE id > $1 AND ($2 = '' OR video_id = $2) AND ($3 = '' OR state = $3) ORDER BY id LIMIT $4`,
    [afterId, videoId, state, limit],
  );
  return rows;
}
