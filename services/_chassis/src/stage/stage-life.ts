/** The life cycle of a stage's row: opened, started, progressed, ended, each together with its event. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '@vds/proto/events';
import { withTransaction, type Executor, type Pool, type PoolClient } from '../database/database.ts';
import { addToOutbox, outgoing, type Outgoing } from '../database/outbox.ts';
import { AppError } from '../errors.ts';
import { addJobRows, cancelStageJobs, removeNamedJobs, removeStageJobs, type NewJobRow } from '../work/job-rows.ts';
import type { BoundStage, JobPayload, NewJob, StageEvents, StageHandle } from './define-stage.ts';
import {
  endRow,
  isAbandoned,
  lockRow,
  openRow,
  progressRow,
  readRow,
  replaceRequest,
  startRow,
  type StageKey,
  type StageRequest,
  type StageResult,
  type StageRow,
} from './stage-rows.ts';
import { isTombstoned, lockVideo } from './tombstones.ts';

/** A stage's key and the publisher it works for. */
export type StageOwner = StageKey & { readonly publisherId: string };
export type Deps = {
  readonly pool: Pool;
  /** Called after each commit: publishes at once. */
  readonly publish: () => void;
  /** Shortest time between two progress events. */
  readonly progressEveryMs: number;
};

/**
 * Opens a stage and adds its first jobs, or republishes its terminal event, or does neither. A higher revision reopens
 * an ended stage; while the stage is open it is ignored: the request will be republished. A repeated one of an open
 * stage brings what it carries up to date. A cancelled stage, or one of a purged video, is not opened. One without a job
 * left to end it is aborted.
 */
export function takeRequest(
  deps: Deps,
  stage: BoundStage,
  request: StageRequest<object>,
): Promise<'opened' | 'repeated' | 'aborted' | 'ignored'> {
  return withTransaction(deps.pool, async (client) => {
    await lockVideo(client, request.videoId);
    if (await isTombstoned(client, request.videoId)) return 'ignored';
    if (await openRow(client, stage.name, request)) {
      await removeStageJobs(client, { ...request, stage: stage.name });
      await addJobs(client, stage, request, await stage.plan(request, stage.deps, client));
      return 'opened';
    }
    const row = await readRow<object, object>(client, stage.name, request);
    if (row?.revision !== request.revision) return 'ignored';
    if (row.result) {
      // Without a unique suffix JetStream would drop the repeat as a duplicate.
      const repeated = terminalEvent(stage, request, row.result, `/again-${randomUUID()}`);
      await addToOutbox(client, [repeated, ...((await stage.alsoRepeated?.(request, client)) ?? [])]);
      return 'repeated';
    }
    if (!isDeepStrictEqual(row.request, request.request))
      await replaceRequest(client, stage.name, request, request.request);
    if (!(await isAbandoned(client, stage.name, request))) return 'ignored';
    await abortStage(deps, client, stage, request);
    return 'aborted';
  });
}

/** Ends a stage that must not or cannot continue: as its definition says, by default as failed. */
export async function abortStage(deps: Deps, client: PoolClient, stage: BoundStage, owner: StageOwner): Promise<void> {
  const handle = stageHandle(deps, stage, owner);
  if (stage.onAbort) await stage.onAbort(client, { ...keyOf(owner), stage: handle }, stage.deps);
  else await handle.fail(client, { code: 'internal_error', details: {} });
}

async function addJobs(
  client: Executor,
  stage: BoundStage,
  { videoId, attempt, revision, publisherId: tenant }: StageOwner,
  jobs: readonly NewJob<JobPayload>[],
): Promise<void> {
  const rows = jobs.map((job): NewJobRow => {
    const queue = queueOf(stage, job.payload.kind);
    return { ...job, stage: stage.name, queue, videoId, attempt, revision, tenant };
  });
  await addJobRows(client, rows);
}

/** The queue of a stage's jobs of one kind. */
export function queueOf(stage: BoundStage, kind: string): string {
  return jobDefinition(stage, kind).queue ?? stage.name;
}

/** @throws AppError ABORTED for a kind that only another version defines: its workers will claim the job */
export function jobDefinition({ name, jobs }: BoundStage, kind: string): BoundStage['jobs'][string] {
  const found = jobs[kind];
  if (!found) throw new AppError('ABORTED', `this version has no job '${kind}' of stage ${name}`);
  return found;
}

function terminalEvent({ events }: BoundStage, key: StageKey, result: StageResult<object>, repeat = ''): Outgoing {
  if ('completed' in result) {
    // The event's type is the definition's, which `bindStage` has erased.
    const event = events.completed as EventType<unknown, object>;
    return stageMessage(event, key, { ...keyOf(key), ...result.completed }, repeat);
  }
  const { code, details } = result.failed;
  return stageMessage(events.failed, key, { ...keyOf(key), code, details: { ...details } }, repeat);
}

/**
 * Its id is `<subject>/<video>/<attempt>/<revision>`, followed by what distinguishes several messages of one revision.
 */
function stageMessage<In>(event: EventType<In, unknown>, key: StageKey, payload: In, more = ''): Outgoing {
  const { videoId, attempt, revision } = key;
  return outgoing(event, payload, `${event.subject}/${videoId}/${attempt}/${revision}${more}`);
}

function keyOf({ videoId, attempt, revision }: StageKey): StageKey {
  return { videoId, attempt, revision };
}

/**
 * Publishes the started event before the stage's first job.
 * @returns the stage's row at this revision; undefined if there is none
 */
export async function enterStage(
  { pool, publish }: Deps,
  { name, events }: BoundStage,
  key: StageKey,
): Promise<StageRow<object, object> | undefined> {
  const row = await readRow<object, object>(pool, name, key);
  if (row?.revision !== key.revision) return undefined;
  if (row.state !== 'open' || row.started) return row;
  if (await startRow(pool, name, key, [stageMessage(events.started, key, keyOf(key))])) publish();
  return { ...row, started: true };
}

/** The operations of jobs and operators on one stage. */
export function stageHandle(deps: Deps, stage: BoundStage, owner: StageOwner): StageHandle<JobPayload, StageEvents> {
  const end = async (client: Executor, result: StageResult<object>): Promise<boolean> => {
    if (!(await endRow(client, stage.name, owner, result))) return false;
    await addToOutbox(client, [terminalEvent(stage, owner, result)]);
    return true;
  };
  return {
    enqueue: (client, jobs) => addJobs(client, stage, owner, jobs),
    lock: (client) => lockRow(client, stage.name, owner),
    replaceRequest: (client, request) => replaceRequest(client, stage.name, owner, request),
    remove: (client, names, running) => removeNamedJobs(client, { ...owner, stage: stage.name }, names, running),
    progress: (percent) => progress(deps, stage, owner, percent),
    waiting: async (client, code, fence) => {
      const payload = { ...keyOf(owner), percent: 0, waiting: code };
      const message = stageMessage(stage.events.progressed, owner, payload, `/waiting/${fence}`);
      await addToOutbox(client, [{ ...message, transient: true }]);
    },
    complete: (client, result) => end(client, { completed: result }),
    fail: async (client, failure) => {
      if (!(await end(client, { failed: failure }))) return false;
      await cancelStageJobs(client, { ...owner, stage: stage.name });
      return true;
    },
  };
}

async function progress(
  { pool, publish, progressEveryMs }: Deps,
  { name, events }: BoundStage,
  key: StageKey,
  value: number,
): Promise<void> {
  // 100 is reserved for the completed event.
  const percent = Math.max(0, Math.min(99, Math.floor(value)));
  const message = {
    ...stageMessage(events.progressed, key, { ...keyOf(key), percent }, `/${percent}`),
    transient: true as const, // the next report replaces it
  };
  if (await progressRow(pool, name, key, { percent, everyMs: progressEveryMs, message })) publish();
}
