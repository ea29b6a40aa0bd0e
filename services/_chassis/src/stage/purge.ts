/**
 * Purges of what a service keeps of a video: requested by catalog, confirmed once nothing is left. A purge is a
 * separate job, which a cancellation does not end and which is retried until it succeeds: nobody would request its
 * final sweep again.
 */
import { randomUUID } from 'node:crypto';
import type { EventType } from '@vds/proto/events';
import type { KeysInUseOut as KeysInUse } from '@vds/proto/generated/vds/catalog/v1/KeysInUse.ts';
import type { PurgeScopeOut } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import type { VideoPurged } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { withTransaction, type Executor, type Pool, type PoolClient } from '../database/database.ts';
import { addToOutbox, outgoing } from '../database/outbox.ts';
import { AppError } from '../errors.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import { attemptOf, folderPrefix, videoPrefix } from '../objects/keys.ts';
import type { Objects } from '../objects/objects.ts';
import { removalRefused, type KeyTest } from '../objects/removal.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { addJobRows, cancelJobs, purgeStage, removeJobs, unblocked, type ClaimedJob } from '../work/job-rows.ts';
import type { Job, Queue } from '../work/queue.ts';
import { isAbsent } from './known-videos.ts';
import { orphanedKeys, type FindWinners } from './orphaned-objects.ts';
import { cancelRows, removeRows } from './stage-rows.ts';
import { addTombstone, emptyPrefix, lockVideo } from './tombstones.ts';

/**
 * - `PURGE_SCOPE_VIDEO`: everything of the video, permanently; a tombstone rejects late results
 * - `PURGE_SCOPE_OTHER_ATTEMPTS`: everything of attempts before `keepAttempt` (0: of all attempts), and leftovers of
 *   lost tries in that attempt; the video remains
 * - `PURGE_SCOPE_SOURCE`: only the sources of attempts before `keepAttempt`, and jobs that still fetch them
 */
export type PurgeScope = Exclude<PurgeScopeOut, 'PURGE_SCOPE_UNSPECIFIED'>;
type Kind = { readonly scope: PurgeScope; readonly keepAttempt: number };
export type PurgeRequest = Kind & {
  readonly videoId: string;
  /** Repeated by the confirmation. */
  readonly requestId: string;
  /** Keys of documents in this bucket that catalog uses: what they name is kept, unless everything is removed. */
  readonly inUse: readonly string[];
};
export type Purge = PurgeRequest & {
  /** Of a final sweep: the purge found no result in the kept attempt, so nothing in it may be judged. */
  readonly skipOrphans?: boolean;
};

/** What a purge removes in a service; jobs and stages are removed by the runtime. */
export type PurgeDefinition = {
  /** The confirmation. */
  readonly event: EventType<VideoPurged, unknown>;
  /** The bucket of the service; omitted by a service that keeps only rows. */
  readonly objects?: Objects;
  /** Which folders of the kept attempt stay, besides those in use; all by default. */
  readonly findWinners?: FindWinners;
  /** Those of the documents in use that are in the bucket; none by default. */
  readonly documentsInUse?: (inUse: KeysInUse) => readonly string[];
  /**
   * Keys of all objects that a document in use names, itself among them; by default the document alone.
   * @throws AppError NOT_FOUND or INVALID_ARGUMENT where it cannot be read
   */
  readonly namedBy?: (key: string) => Promise<readonly string[]>;
  /**
   * For the service whose bucket holds only sources: removes the rows that describe a source's bytes, in the
   * transaction that ends its purge.
   */
  readonly removeSourceRows?: (purge: Purge, client: Executor) => Promise<void>;
  /** The service's own tables with columns `video_id` and `attempt`: their rows are removed with their attempt. */
  readonly tables: readonly string[];
};

export type PurgeOptions = PurgeDefinition & {
  readonly pool: Pool;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Delay of the final sweep, which removes what a worker wrote after it lost its lease; longer than any lease. */
  readonly againMs: number;
};

/**
 * Cancels the work at once and queues the purge, unless the same request is already ready or running. A later request
 * of the same kind gets its own run: an earlier one may have listed the objects before it.
 */
export async function requestPurge(options: PurgeOptions, request: PurgeRequest): Promise<void> {
  await withTransaction(options.pool, async (client) => {
    await lockVideo(client, request.videoId);
    await stopWork(options, client, request);
    if (await pending(client, request)) return;
    await addPurgeJob(client, request, kindOf(request));
  });
}

async function stopWork(options: PurgeOptions, client: PoolClient, request: PurgeRequest): Promise<void> {
  const { videoId, scope } = request;
  if (!concerns(options, request)) return;
  if (scope === 'PURGE_SCOPE_VIDEO') await addTombstone(client, videoId);
  await cancelJobs(client, videoId, boundOf(request));
  await cancelRows(client, videoId, boundOf(request));
}

/** Whether the service keeps anything that a purge removes. */
function concerns({ removeSourceRows }: PurgeOptions, { scope }: Kind): boolean {
  return scope !== 'PURGE_SCOPE_SOURCE' || removeSourceRows !== undefined;
}

/** A purge covers the attempts before this one; undefined: all. */
function boundOf({ scope, keepAttempt }: Kind): number | undefined {
  const coversAll = scope === 'PURGE_SCOPE_VIDEO' || (scope === 'PURGE_SCOPE_OTHER_ATTEMPTS' && keepAttempt === 0);
  return coversAll ? undefined : keepAttempt;
}

/** Whether the purge of this request is ready or running; a final sweep does not count. */
async function pending(client: Executor, { videoId, requestId, ...request }: PurgeRequest): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM chassis.jobs WHERE stage = $1 AND video_id = $2 AND state IN ('ready', 'running')
       AND starts_with(name, $3) AND NOT starts_with(name, $4) AND payload ->> 'requestId' = $5 LIMIT 1`,
    [purgeStage, videoId, kindOf(request), sweepOf(request), requestId],
  );
  return rows.length > 0;
}

/** Prefix of the names of all purges of a kind. */
function kindOf({ scope, keepAttempt }: Kind): string {
  return `${scope}-${keepAttempt}-`;
}

/** Prefix of the names of its final sweeps. */
function sweepOf(kind: Kind): string {
  return `${kindOf(kind)}final-sweep-`;
}

/** @param kind prefix of its name */
async function addPurgeJob(client: Executor, purge: Purge, kind: string, delayMs = 0): Promise<void> {
  const { videoId, scope, keepAttempt, requestId, inUse, skipOrphans = false } = purge;
  // Without the notes of an earlier run.
  const payload: Purge = { videoId, scope, keepAttempt, requestId, inUse, skipOrphans };
  const row = { stage: purgeStage, queue: purgeStage, videoId, attempt: 0, payload, delayMs };
  await addJobRows(client, [{ ...row, name: kind + randomUUID() }]);
}

/** The queue of purges, for the worker. */
export function purgeQueue(options: PurgeOptions, slots: number): Queue {
  exportRefused(options);
  return {
    slots,
    run: (job) => runPurge(options, job),
    failed: async (client, job, error) => {
      options.log.error({ err: error, video_id: job.videoId }, 'purge failed; it will be retried');
      await tryAgain(client, job, error);
    },
  };
}

/** Purges that wait for an operator to lift a lock on objects; every replica reports the same number. */
function exportRefused({ pool, metrics }: PurgeOptions): void {
  // One statement a state: each has its own index.
  const refused = (state: string): string => `(SELECT count(*) FROM chassis.jobs
    WHERE state = '${state}' AND queue = '${purgeStage}' AND payload @> '{"refused": true}')`;
  const text = `SELECT ${refused('ready')} + ${refused('running')} AS purges`;
  const help = 'Purges of which the object storage refuses to remove objects';
  metrics.gauge('vds_purges_refused', help, [], async (gauge) => {
    const { rows } = await pool.query<{ purges: number }>(text);
    gauge.set(rows[0]?.purges ?? 0);
  });
}

/**
 * Schedules another run of a purge that has failed permanently, as if it were new: after its age so far, at least a
 * minute and at most an hour. Its row keeps the error.
 */
async function tryAgain(client: PoolClient, { id }: ClaimedJob, error: unknown): Promise<void> {
  const refused = error instanceof AppError && error.reason === removalRefused;
  await client.query(
    `UPDATE chassis.jobs SET state = 'ready', tries = 0, last_failure = NULL, crashes = 0, quarantined = false,
       ${unblocked}, progress = 0, finished_at = NULL, payload = payload || $2,
       run_after = now() + least(greatest(now() - created_at, interval '1 minute'), interval '1 hour')
     WHERE id = $1`,
    [id, JSON.stringify({ refused })],
  );
}

async function runPurge(options: PurgeOptions, job: Job): Promise<void> {
  const purge = job.payload as Purge;
  const { videoId, scope, keepAttempt, requestId } = purge;
  const isFinalSweep = job.name.startsWith(sweepOf(purge));
  const inUse = await findInUse(options, purge);
  const orphans = inUse.isKnown ? await orphansOfKept(options, purge) : undefined;
  if (options.objects) await emptyPrefix(options.objects, videoPrefix(videoId), keysOf(options, purge, inUse, orphans));
  await failpoint('purge.prefix-emptied');
  await job.complete(async (client) => {
    if (scope === 'PURGE_SCOPE_VIDEO') await removeJobs(client, videoId);
    if (scope === 'PURGE_SCOPE_SOURCE') await options.removeSourceRows?.(purge, client);
    else await removeVideoRows(options, client, purge);
    if (isFinalSweep) return; // It was not requested, so there is nothing to confirm.
    const messageId = `${options.event.subject}/${videoId}/${scope}/${keepAttempt}/${job.name}`;
    await addToOutbox(client, [outgoing(options.event, { videoId, scope, keepAttempt, requestId }, messageId)]);
    // Without a bound on attempts, a second sweep would remove what a later attempt has written since.
    if (scope === 'PURGE_SCOPE_OTHER_ATTEMPTS' && keepAttempt === 0) return;
    await addFinalSweep(client, { ...purge, skipOrphans: orphans === undefined }, options.againMs);
  });
}

type InUse = {
  /** Prefixes of the folders that make up the documents in use. */
  readonly folders: ReadonlySet<string>;
  /** False if a document cannot be read: it may name more. */
  readonly isKnown: boolean;
};

/**
 * What catalog uses, which the owner's rows may lack: a restored database names what it has made again, not what is
 * being played.
 */
async function findInUse({ namedBy }: PurgeOptions, { scope, inUse }: Purge): Promise<InUse> {
  const documents = scope === 'PURGE_SCOPE_VIDEO' ? [] : inUse;
  const named = await Promise.all(documents.map(async (key) => (namedBy ? namedBy(key).catch(isAbsent) : [key])));
  const keys = [...documents, ...named.flatMap((one) => (one === false ? [] : one))];
  return { folders: new Set(keys.map(folderPrefix)), isKnown: !named.includes(false) };
}

/**
 * Leftovers of lost tries in the kept attempt. An attempt whose result came only after the purge is not judged by its
 * final sweep: on a restored database, what it makes again is not what is being played.
 */
async function orphansOfKept(
  { objects, pool, findWinners }: PurgeOptions,
  { videoId, scope, keepAttempt, skipOrphans }: Purge,
): Promise<ReadonlySet<string> | undefined> {
  if (!objects || !findWinners || scope !== 'PURGE_SCOPE_OTHER_ATTEMPTS' || skipOrphans) return undefined;
  return orphanedKeys({ objects, client: pool, findWinners }, { videoId, attempt: keepAttempt });
}

/** Returns the test for keys that a purge removes. */
function keysOf(
  options: PurgeOptions,
  purge: Purge,
  { folders }: InUse,
  orphans: ReadonlySet<string> | undefined,
): KeyTest {
  if (!concerns(options, purge)) return () => false;
  return (key) => !folders.has(folderPrefix(key)) && (ofPurgedAttempts(purge, key) || orphans?.has(key) === true);
}

/** Whether a key belongs to an attempt that a purge removes entirely. */
export function ofPurgedAttempts(kind: Kind, key: string): boolean {
  const bound = boundOf(kind);
  const attempt = attemptOf(key);
  if (attempt === undefined) return kind.scope !== 'PURGE_SCOPE_SOURCE';
  // Handled late, or swept again after a further retry: attempts after the kept one stay.
  return bound === undefined || attempt < bound;
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

/**
 * At most one final sweep of a kind waits at a time: it replaces the others. A running one stays: it may already have
 * listed the objects, and another follows it.
 */
async function addFinalSweep(client: Executor, purge: Purge, delayMs: number): Promise<void> {
  const sweep = sweepOf(purge);
  await client.query(
    `DELETE FROM chassis.jobs WHERE id IN (SELECT id FROM chassis.jobs
       WHERE stage = $1 AND video_id = $2 AND starts_with(name, $3) AND state <> 'running' FOR UPDATE SKIP LOCKED)`,
    [purgeStage, purge.videoId, sweep],
  );
  await addPurgeJob(client, purge, sweep, delayMs);
}
