/**
 * The runtime of all stages of a service: it consumes requests, cancellations and purges, runs jobs in slots, and
 * publishes their events. A service declares its specifics with `defineStage`.
 */
import { events } from '@vds/proto/events';
import { on, type Bus, type EventHandler } from '../bus/bus.ts';
import type { ConfigOf } from '../config/config.ts';
import { withTransaction, type Pool, type PoolClient } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { runExclusively } from '../database/leader-lock.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Logger } from '../telemetry/log.ts';
import { cancelJobs, type ClaimedJob } from '../work/job-rows.ts';
import { restartWaits } from '../work/restart-waits.ts';
import type { Queue } from '../work/run-job.ts';
import { startWorkers, type WorkerOptions } from '../work/work.ts';
import { startAbortingUploads } from './abandoned-uploads.ts';
import { openDeadlines, type Deadlines } from './deadlines.ts';
import type { BoundStage, JobPayload, StageDefinition, StageEvents, StageHandle } from './define-stage.ts';
import { purgeQueue, requestPurge, type PurgeDefinition, type PurgeOptions } from './purge.ts';
import {
  enterStage,
  abortStage,
  jobDefinition,
  queueOf,
  stageHandle,
  takeRequest,
  type Deps,
  type StageOwner,
} from './stage-life.ts';
import { cancelRows, forgetRequest } from './stage-rows.ts';
import { lockVideo } from './tombstones.ts';
import type { workerConfig } from './worker.ts';

export type StagesOptions = Pick<ConfigOf<typeof workerConfig>, 'leaseMs' | 'renewMs' | 'purgeSlots' | 'purgeAgainMs'> &
  Pick<WorkerOptions, 'pool' | 'log' | 'metrics' | 'health' | 'pollMs' | 'retryDelaysMs'> &
  Pick<WorkerOptions, 'dependencyLimitMs' | 'missingLimitMs' | 'breakerPauseMs'> & {
    readonly bus: Pick<Bus, 'subscribe' | 'watch'>;
    readonly relay: { readonly notify: () => void };
    readonly stages: readonly BoundStage[];
    /** Slots of every queue that a job names. */
    readonly queues: Readonly<Record<string, Pick<Queue, 'slots' | 'maxTries' | 'pollMs' | 'shares'>>>;
    readonly purge: PurgeDefinition;
    /** Jobs of the service that belong to no stage. */
    readonly otherQueues?: Readonly<Record<string, Queue>>;
    /** Shortest time between two progress events of a stage; by default 2 s. */
    readonly progressEveryMs?: number;
  };
export type Stages = ReturnType<typeof startStages>;

/** Binds a definition to the dependencies of its jobs. */
export function bindStage<Deps, P extends JobPayload, E extends StageEvents>(
  definition: StageDefinition<Deps, P, E>,
  deps: Deps,
): BoundStage {
  return { ...definition, deps } as unknown as BoundStage;
}

/** Starts consuming events and running jobs. `close` releases running jobs at no cost. */
export function startStages(options: StagesOptions) {
  const { pool, log, metrics, bus, relay, stages, progressEveryMs = 2_000 } = options;
  checkQueues(stages, Object.keys(options.queues));
  const deps: Deps = { pool, publish: relay.notify, progressEveryMs };
  const purges: PurgeOptions = {
    ...options.purge,
    ...{ pool, log, metrics, againMs: options.purgeAgainMs },
    cancelled: (client, videoId) => forgetSecrets(client, stages, videoId),
  };
  const deadlines = openDeadlines({
    ...{ pool, log, stages, metrics: options.metrics, tickMs: options.renewMs, onEnded: relay.notify },
    queues: Object.keys(options.queues).filter((name) => options.queues[name]?.slots !== 0),
    abortStage: (client, open) => abortStage(deps, client, stageNamed(stages, open.stage), open),
  });
  const handlers = stageQueue(deps, stages, deadlines);
  const queues = Object.entries(options.queues).map(([name, queue]): [string, Queue] => [
    name,
    { ...queue, ...handlers },
  ]);
  const workers = startWorkers({
    ...options,
    onJobEnded: relay.notify,
    queues: { ...Object.fromEntries(queues), purge: purgeQueue(purges, options.purgeSlots), ...options.otherQueues },
  });
  const tasks = { 'check-stages': () => deadlines.check(workers), 'restart-waits': () => restartAll(options) };
  const checks = startPeriodic({ log, metrics, everyMs: options.renewMs, tasks });
  const uploads = options.purgeSlots > 0 ? startUploadTask(options) : undefined;
  const notify = (): void => {
    relay.notify();
    workers.notify();
  };
  bus.subscribe([
    ...stages.map((stage) => onRequested(deps, stage, notify, log)),
    onPurgeRequested(purges, workers.abortVideo, notify),
  ]);
  bus.watch([onVideoCancelled(pool, stages, workers.abortVideo)]);
  return {
    /** After a commit outside of jobs: publishes and claims at once. */
    notify,
    abortVideo: workers.abortVideo,
    close: async (): Promise<void> => {
      await Promise.all([checks.close(), uploads?.close()]);
      await workers.close();
    },
    /** Operations on a stage for operators, outside of its jobs. */
    handle: <P extends JobPayload, E extends StageEvents>(
      definition: Pick<StageDefinition<never, P, E>, 'name' | 'events'>,
      owner: StageOwner,
    ): StageHandle<P, E> => stageHandle(deps, stageNamed(stages, definition.name), owner),
  };
}

/** By one replica at a time: the clock is rarely set back. */
async function restartAll({ pool, log, renewMs }: StagesOptions): Promise<void> {
  await runExclusively(pool, 'restart-waits', 3 * renewMs, async () => {
    const jobs = await restartWaits(pool);
    if (jobs > 0) log.warn({ jobs }, 'the clock of the database was set back: the waits of these jobs begin anew');
  });
}

function startUploadTask({ pool, log, metrics, purge: { objects, findUploads }, purgeAgainMs }: StagesOptions) {
  return objects && startAbortingUploads({ pool, log, metrics, objects, findUploads, olderThanMs: purgeAgainMs });
}

/** @throws where a job's queue has no slots configured, so that it would never run */
function checkQueues(stages: readonly BoundStage[], configured: readonly string[]): void {
  const used = stages.flatMap((stage) => Object.keys(stage.jobs).map((kind) => queueOf(stage, kind)));
  const missing = used.find((queue) => !configured.includes(queue));
  if (missing !== undefined) throw new AppError('INTERNAL', `no slots are configured for the queue ${missing}`);
}

function stageNamed(stages: readonly BoundStage[], name: string): BoundStage {
  const found = stages.find((stage) => stage.name === name);
  // Another version has it, and its workers claim the jobs sooner or later.
  if (!found) throw new AppError('ABORTED', `this version has no stage '${name}'`);
  return found;
}

async function forgetSecrets(client: PoolClient, stages: readonly BoundStage[], videoId: string): Promise<void> {
  for (const { name, secretRequest } of stages) if (secretRequest) await forgetRequest(client, name, videoId);
}

/** One handler for the jobs of all stages: a job's row names its stage. */
function stageQueue(
  deps: Deps,
  stages: readonly BoundStage[],
  deadlines: Deadlines,
): Pick<Queue, 'run' | 'failed' | 'givesUp'> {
  return {
    run: async (job) => {
      const stage = stageNamed(stages, job.stage);
      const row = await enterStage(deps, stage, job);
      if (row?.state !== 'open' && !stage.runsAfterEnd) return job.complete();
      const ofStage = stageJob(deps, stage, job);
      const request = row?.request ?? {};
      const { run } = jobDefinition(stage, ofStage.payload.kind);
      await deadlines.watch(job, (progress) => run({ ...job, ...ofStage, progress, request }, stage.deps));
    },
    failed: async (client, job, error) => {
      const stage = stageNamed(stages, job.stage);
      const ofStage = stageJob(deps, stage, job);
      const failed = stage.jobs[ofStage.payload.kind]?.failed;
      if (failed) await failed(client, ofStage, error, stage.deps);
      else await ofStage.stage.fail(client, stage.failure?.(error) ?? { code: 'internal_error', details: {} });
    },
    givesUp: (error, { stage, lastFailure }) => stageNamed(stages, stage).givesUp?.(error, lastFailure) ?? false,
  };
}

/** What a stage adds to one of its jobs. */
function stageJob(deps: Deps, stage: BoundStage, { videoId, attempt, revision, tenant, payload }: ClaimedJob) {
  const owner: StageOwner = { videoId, attempt, revision, publisherId: tenant };
  // Rows contain what `enqueue` received; its type was checked there.
  return { ...owner, payload: payload as JobPayload, stage: stageHandle(deps, stage, owner) };
}

function onRequested(deps: Deps, stage: BoundStage, notify: () => void, log: Logger): EventHandler {
  return on(stage.events.requested, async ({ videoId, attempt, publisherId, revision = 0, ...request }) => {
    const taken = await takeRequest(deps, stage, { videoId, attempt, revision, publisherId, request });
    if (taken === 'aborted') log.error({ video_id: videoId, stage: stage.name }, 'a stage had no job left to end it');
    notify();
  });
}

function onPurgeRequested(
  purges: PurgeOptions,
  abortVideo: (videoId: string) => void,
  notify: () => void,
): EventHandler {
  return on(events.purgeRequested, async ({ videoId, scope, keepAttempt, owners, requestId, inUse }) => {
    if (!owners.includes(purges.event.owner) || scope === 'PURGE_SCOPE_UNSPECIFIED') return;
    const documents = (inUse && purges.documentsInUse?.(inUse)) ?? [];
    const request = { videoId, scope, keepAttempt, requestId, inUse: documents.filter((key) => key !== '') };
    await requestPurge(purges, request);
    if (scope === 'PURGE_SCOPE_VIDEO') abortVideo(videoId);
    notify();
  });
}

/** Consumed by every replica: the rows are cancelled once, and each replica aborts its own jobs. */
function onVideoCancelled(
  pool: Pool,
  stages: readonly BoundStage[],
  abortVideo: (videoId: string) => void,
): EventHandler {
  return on(events.videoCancelled, async ({ videoId }) => {
    await withTransaction(pool, async (client) => {
      await lockVideo(client, videoId);
      // Jobs first: a transaction that ends a job holds the job's row and waits for the stage's.
      await cancelJobs(client, videoId);
      await cancelRows(client, videoId);
      await forgetSecrets(client, stages, videoId);
    });
    abortVideo(videoId);
  });
}
