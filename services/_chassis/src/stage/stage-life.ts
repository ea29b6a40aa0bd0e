/** The life cycle of a stage's row: opened, started, progressed, ended, each together with its event. */
import { randomUUID } from 'node:crypto';
import type { EventType } from '@vds/proto/events';
import { withTransaction, type Executor, type Pool, type PoolClient } from '../database/database.ts';
import { addToOutbox, outgoing, type Outgoing } from '../database/outbox.ts';
import { addJobRows, cancelStageJobs, type NewJobRow } from '../work/job-rows.ts';
import type { NewJob, StageEvents, StageHandle } from './define-stage.ts';
import {
  endRow,
  forgetRequest,
  lockRow,
  openRow,
  progressRow,
  readRow,
  startRow,
  type StageKey,
  type StageRequest,
  type StageResult,
  type StageRow,
} from './stage-rows.ts';
import { isTombstoned, lockVideo } from './tombstones.ts';

/** What the row's life cycle needs of a definition whose types are erased. */
export type StageLife = {
  readonly name: string;
  readonly events: StageEvents;
  readonly secretRequest: boolean;
  /** The queue of a job by the kind of its payload. */
  readonly queueOf: (kind: string) => string;
};
/** A stage's key and the publisher that it works for. */
export type StageOwner = StageKey & { readonly publisherId: string };
type Deps = {
  readonly pool: Pool;
  /** Called after each commit: publishes at once. */
  readonly publish: () => void;
  /** Shortest time between two progress events. */
  readonly progressEveryMs: number;
};
type AnyHandle = StageHandle<never, StageEvents>;

/**
 * Opens a stage and adds its first jobs, or republishes its terminal event, or does neither. A higher revision reopens
 * an ended stage; while the stage is open it is ignored, as the request will be republished. A stage that was
 * cancelled, or whose video was purged, is not opened.
 */
export function takeRequest(
  pool: Pool,
  life: StageLife,
  request: StageRequest<unknown>,
  plan: (client: PoolClient) => Promise<readonly NewJob<never>[]>,
): Promise<void> {
  return withTransaction(pool, async (client) => {
    await lockVideo(client, request.videoId);
    if (await isTombstoned(client, request.videoId)) return;
    if (await openRow(client, life.name, request)) return addJobs(client, life, request, await plan(client));
    const row = await readRow<unknown, object>(client, life.name, request);
    if (!row?.result || row.revision !== request.revision) return;
    // Without a unique suffix JetStream would drop the repeat as a duplicate.
    await addToOutbox(client, [terminalEvent(life, request, row.result, `/again-${randomUUID()}`)]);
  });
}

async function addJobs(
  client: Executor,
  { name: stage, queueOf }: StageLife,
  { videoId, attempt, revision, publisherId }: StageOwner,
  jobs: readonly NewJob<never>[],
): Promise<void> {
  const rows = jobs.map(({ payload, ...job }): NewJobRow => {
    const queue = queueOf((payload as { readonly kind: string }).kind);
    return { ...job, payload, stage, queue, videoId, attempt, revision, tenant: publisherId };
  });
  await addJobRows(client, rows);
}

function terminalEvent({ events }: StageLife, key: StageKey, result: StageResult<object>, repeat: string): Outgoing {
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
 * Runs before each job: publishes the started event before the first one.
 * @returns the stage's row at this revision; undefined where there is none
 */
export async function enterStage(
  { pool, publish }: Deps,
  { name, events }: StageLife,
  key: StageKey,
  also: (row: StageRow<unknown, object>) => Promise<readonly Outgoing[]>,
): Promise<StageRow<unknown, object> | undefined> {
  const row = await readRow<unknown, object>(pool, name, key);
  if (row?.revision !== key.revision) return undefined;
  if (row.state !== 'open' || row.runningMs !== null) return row;
  const started = [stageMessage(events.started, key, keyOf(key)), ...(await also(row))];
  if (await startRow(pool, name, key, started)) publish();
  return { ...row, runningMs: 0 };
}

/** The operations of jobs and operators on one stage; the types are those of its definition. */
export function stageHandle(deps: Deps, life: StageLife, owner: StageOwner): AnyHandle {
  const end = async (client: Executor, result: StageResult<object>): Promise<boolean> => {
    if (!(await endRow(client, life.name, owner, result))) return false;
    if (life.secretRequest) await forgetRequest(client, life.name, owner.videoId);
    await addToOutbox(client, [terminalEvent(life, owner, result, '')]);
    return true;
  };
  return {
    enqueue: (client, jobs) => addJobs(client, life, owner, jobs),
    lock: (client) => lockRow(client, life.name, owner),
    progress: (percent) => progress(deps, life, owner, percent),
    complete: (client, result) => end(client, { completed: result }),
    fail: async (client, failure) => {
      if (!(await end(client, { failed: failure }))) return false;
      await cancelStageJobs(client, { ...owner, stage: life.name });
      return true;
    },
  };
}

async function progress(
  { pool, publish, progressEveryMs }: Deps,
  { name, events }: StageLife,
  key: StageKey,
  value: number,
): Promise<void> {
  // 100 is reserved for the completed event.
  const percent = Math.max(0, Math.min(99, Math.floor(value)));
  const message = events.progressed && stageMessage(events.progressed, key, { ...keyOf(key), percent }, `/${percent}`);
  if (await progressRow(pool, name, key, { percent, everyMs: progressEveryMs, message })) publish();
}
