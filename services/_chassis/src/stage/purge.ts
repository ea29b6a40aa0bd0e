/**
 * Purges of what a service keeps of a video: requested by catalog, confirmed once nothing is left. A purge is a job of
 * its own, which a cancellation does not end. Catalog requests one that failed permanently again.
 */
import type { EventType } from '@vds/proto/events';
import type { PurgeScopeOut } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import type { VideoPurged } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { withTransaction, type Executor, type Pool, type PoolClient } from '../database/database.ts';
import { addToOutbox, outgoing } from '../database/outbox.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import { attemptOf, videoPrefix } from '../objects/keys.ts';
import type { Objects } from '../objects/objects.ts';
import type { Logger } from '../telemetry/log.ts';
import { addJobRows, cancelJobs, purgeStage, removeEndedJobs, removeJobs } from '../work/job-rows.ts';
import type { Job, Queue } from '../work/run-job.ts';
import { cancelRows, removeRows } from './stage-rows.ts';
import { addTombstone, emptyPrefix, lockVideo } from './tombstones.ts';

/**
 * - `PURGE_SCOPE_VIDEO`: everything of the video, permanently; a tombstone rejects late results
 * - `PURGE_SCOPE_OTHER_ATTEMPTS`: everything of attempts before `keepAttempt` (0: of all attempts); the video remains
 * - `PURGE_SCOPE_SOURCE`: only what the service keeps of the video's source
 */
export type PurgeScope = Exclude<PurgeScopeOut, 'PURGE_SCOPE_UNSPECIFIED'>;
export type PurgeRequest = { readonly videoId: string; readonly scope: PurgeScope; readonly keepAttempt: number };
/** `upTo` is the newest attempt that was known when the purge was requested: objects of later ones are spared. */
export type Purge = PurgeRequest & { readonly upTo: number };
type KeyTest = (key: string, attempt: number) => boolean;

/** What a purge removes in a service; jobs and stages are removed by the runtime. */
export type PurgeDefinition = {
  /** The confirmation. */
  readonly event: EventType<VideoPurged, unknown>;
  /** The bucket of the service; omitted by a service that keeps only rows. */
  readonly objects?: Objects;
  /**
   * Returns the test for further keys that a purge removes, beside those of whole attempts. Runs before rows are removed,
   * so that it may read them.
   */
  readonly alsoRemoves?: (purge: Purge, client: Executor) => KeyTest | Promise<KeyTest>;
  /** The service's own tables with columns `video_id` and `attempt`: their rows are removed with their attempt. */
  readonly tables: readonly string[];
};

export type PurgeOptions = PurgeDefinition & {
  readonly pool: Pool;
  readonly log: Logger;
  /** In the transaction that cancels stages: removes what must not outlive them. */
  readonly cancelled: (client: PoolClient, videoId: string) => Promise<void>;
  /** Delay of the final sweep, which removes what a worker wrote after it lost its lease; longer than any lease. */
  readonly againMs: number;
};

const finalSweep = 'final-sweep';

/** Cancels the work at once and queues the purge, unless one of the same kind is already ready or running. */
export async function requestPurge(options: PurgeOptions, request: PurgeRequest): Promise<void> {
  await withTransaction(options.pool, async (client) => {
    await lockVideo(client, request.videoId);
    await stopWork(options, client, request);
    if (await pending(client, request)) return;
    const upTo = await newestAttempt(client, request.videoId);
    await addPurgeJob(client, { ...request, upTo }, String(Date.now()));
  });
}

async function stopWork({ cancelled }: PurgeOptions, client: PoolClient, request: PurgeRequest): Promise<void> {
  const { videoId, scope } = request;
  if (scope === 'PURGE_SCOPE_SOURCE') return;
  if (scope === 'PURGE_SCOPE_VIDEO') await addTombstone(client, videoId);
  await cancelJobs(client, videoId, boundOf(request));
  await cancelRows(client, videoId, boundOf(request));
  await cancelled(client, videoId);
}

/** A purge covers the attempts before this one; undefined: all. */
function boundOf({ scope, keepAttempt }: PurgeRequest): number | undefined {
  return scope === 'PURGE_SCOPE_VIDEO' || keepAttempt === 0 ? undefined : keepAttempt;
}

/** Whether a purge of this kind is ready or running; a final sweep does not count. */
async function pending(client: Executor, request: PurgeRequest): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM chassis.jobs WHERE stage = $1 AND video_id = $2 AND state IN ('ready', 'running')
       AND starts_with(name, $3) AND name <> $3 || $4 LIMIT 1`,
    [purgeStage, request.videoId, kindOf(request), finalSweep],
  );
  return rows.length > 0;
}

function kindOf({ scope, keepAttempt }: PurgeRequest): string {
  return `${scope}-${keepAttempt}-`;
}

async function newestAttempt(client: Executor, videoId: string): Promise<number> {
  const text = 'SELECT coalesce(max(attempt), 0) AS newest FROM chassis.stages WHERE video_id = $1';
  const { rows } = await client.query<{ newest: number }>(text, [videoId]);
  return rows[0]?.newest ?? 0;
}

async function addPurgeJob(client: Executor, purge: Purge, suffix: string, delayMs = 0): Promise<void> {
  const { videoId } = purge;
  const row = { stage: purgeStage, queue: purgeStage, videoId, attempt: 0, payload: purge, delayMs };
  await addJobRows(client, [{ ...row, name: kindOf(purge) + suffix }]);
}

/** The queue of purges, for the worker. */
export function purgeQueue(options: PurgeOptions, slots: number): Queue {
  return {
    slots,
    run: (job) => runPurge(options, job),
    failed: async (_client, job, error) =>
      options.log.error({ err: error, video_id: job.videoId }, 'a purge failed; it will be requested again'),
  };
}

async function runPurge(options: PurgeOptions, job: Job): Promise<void> {
  const purge = job.payload as Purge;
  const { videoId, scope, keepAttempt } = purge;
  const isFinalSweep = job.name === kindOf(purge) + finalSweep;
  const { objects, pool } = options;
  if (objects) {
    const also = await options.alsoRemoves?.(purge, pool);
    await emptyPrefix(objects, videoPrefix(videoId), purgedKeys(purge, also));
  }
  await failpoint('purge.prefix-emptied');
  await job.complete(async (client) => {
    if (scope === 'PURGE_SCOPE_VIDEO') await removeJobs(client, videoId);
    if (scope !== 'PURGE_SCOPE_SOURCE') await removeVideoRows(options, client, purge);
    if (isFinalSweep) return; // It was not requested, so there is nothing to confirm.
    const messageId = `${options.event.subject}/${videoId}/${scope}/${keepAttempt}/${job.name}`;
    await addToOutbox(client, [outgoing(options.event, { videoId, scope, keepAttempt }, messageId)]);
    // Without a bound on attempts, a second sweep would remove what a later attempt has made since.
    if (scope === 'PURGE_SCOPE_OTHER_ATTEMPTS' && keepAttempt === 0) return;
    await addFinalSweep(client, purge, options.againMs);
  });
}

/** Returns the test for keys that a purge removes: those of the attempts that it covers, and `also`. */
export function purgedKeys(
  { scope, keepAttempt }: PurgeRequest,
  also: KeyTest = () => false,
): (key: string) => boolean {
  return (key) => {
    if (scope === 'PURGE_SCOPE_VIDEO') return true;
    const attempt = attemptOf(key);
    // Handled late, or swept again after a further retry: attempts after the kept one are spared.
    const isOther = keepAttempt === 0 || attempt === undefined || attempt < keepAttempt;
    if (scope === 'PURGE_SCOPE_OTHER_ATTEMPTS' && isOther) return true;
    return attempt !== undefined && also(key, attempt);
  };
}

async function removeVideoRows({ tables }: PurgeOptions, client: Executor, purge: Purge): Promise<void> {
  const before = boundOf(purge);
  await removeRows(client, purge.videoId, before);
  for (const table of tables)
    await client.query(`DELETE FROM ${table} WHERE video_id = $1 AND ($2::int IS NULL OR attempt < $2)`, [
      purge.videoId,
      before ?? null,
    ]);
}

/** At most one final sweep of a kind waits at a time; it replaces one that has ended. */
async function addFinalSweep(client: Executor, purge: Purge, delayMs: number): Promise<void> {
  await removeEndedJobs(client, { stage: purgeStage, videoId: purge.videoId, name: kindOf(purge) + finalSweep });
  await addPurgeJob(client, purge, finalSweep, delayMs);
}
