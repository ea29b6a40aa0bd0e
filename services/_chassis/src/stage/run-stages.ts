/**
 * The runtime of all stages of a service: it consumes requests, cancellations and purges, runs jobs in slots, and
 * publishes their events. A service declares its specifics with `defineStage`.
 */
import { events } from '@vds/proto/events';
import { on, type Bus, type EventHandler } from '../bus/bus.ts';
import type { ConfigOf } from '../config/config.ts';
import { withTransaction, type Pool } from '../database/database.ts';
import { AppError, classify, messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { cancelJobs, type ClaimedJob } from '../work/job-rows.ts';
import type { Job, Queue } from '../work/queue.ts';
import { startWorkers, type WorkerOptions } from '../work/work.ts';
import { startAbortingUploads } from './abandoned-uploads.ts';
import type { BoundStage, JobPayload, StageDefinition, StageEvents, StageHandle, StageKey } from './define-stage.ts';
import { purgeQueue, requestPurge, type PurgeDefinition, type PurgeOptions } from './purge.ts';
import {
  enterStage,
  abortStage,
  jobDefinition,
  queueOf,
  stageHandle,
  takeRequest,
  type Deps as LifeDeps,
  type StageOwner,
} from './stage-life.ts';
import { addWork, cancelRows } from './stage-rows.ts';
import { lockVideo } from './tombstones.ts';
import type { workerConfig } from './worker.ts';

const PURGE_SLOTS = 2;

export type StagesConfig = Pick<ConfigOf<typeof workerConfig>, 'leaseMs' | 'renewMs' | 'purgeAgainMs'> &
  Partial<Pick<ConfigOf<typeof workerConfig>, 'dependencyLimitMs' | 'missingLimitMs' | 'breakerPauseMs'>> & {
    /** Purges at a time; 0: none. */
    readonly purgeSlots?: number;
  };

/** What `openWorker` opens. */
export type StagesWorker = Pick<WorkerOptions, 'pool' | 'log' | 'metrics' | 'health'> & {
  readonly bus: Pick<Bus, 'subscribe' | 'watch'>;
  readonly relay: { readonly notify: () => void };
};

export type StagesOptions = {
  readonly stages: readonly BoundStage[];
  /** Slots of every queue that a job names. */
  readonly queues: Readonly<Record<string, Pick<Queue, 'slots' | 'maxTries' | 'shares'>>>;
  readonly purge: PurgeDefinition;
  /** Shortest time between two progress events of a stage; by default 2 s. */
  readonly progressEveryMs?: number;
} & Pick<WorkerOptions, 'pollMs' | 'retryDelaysMs'>;
export type Stages = ReturnType<typeof startStages>;

type Deps = LifeDeps & {
  readonly log: Logger;
  readonly stages: readonly BoundStage[];
  /** Counts a stage or a try that has passed one of its limits. */
  readonly passed: (stage: string, limit: Limit) => void;
};
const limits = ['stalled', 'over_budget'] as const;
type Limit = (typeof limits)[number];

/** Binds a definition to the dependencies of its jobs. */
export function bindStage<Deps, P extends JobPayload, E extends StageEvents>(
  definition: StageDefinition<Deps, P, E>,
  deps: Deps,
): BoundStage {
  return { ...definition, deps } as unknown as BoundStage;
}

/** Starts consuming events and running jobs. `close` releases running jobs at no cost. */
export function startStages(config: StagesConfig, worker: StagesWorker, options: StagesOptions) {
  const { pool, log, metrics, health, bus, relay } = worker;
  const { stages, progressEveryMs = 2_000 } = options;
  checkQueues(stages, Object.keys(options.queues));
  const deps: Deps = {
    pool,
    log,
    publish: relay.notify,
    progressEveryMs,
    stages,
    passed: countLimits(metrics, stages),
  };
  const purges: PurgeOptions = {
    ...options.purge,
    pool,
    log,
    metrics,
    againMs: config.purgeAgainMs,
  };
  const handlers = stageQueue(deps);
  const queues = Object.entries(options.queues).map(([name, queue]): [string, Queue] => [
    name,
    { ...queue, ...handlers },
  ]);
  const { leaseMs, renewMs, dependencyLimitMs, missingLimitMs, breakerPauseMs, purgeSlots = PURGE_SLOTS } = config;
  const workers = startWorkers({
    ...{ pool, log, metrics, health, leaseMs, renewMs, dependencyLimitMs, missingLimitMs, breakerPauseMs },
    pollMs: options.pollMs,
    retryDelaysMs: options.retryDelaysMs,
    onJobEnded: relay.notify,
    queues: { ...Object.fromEntries(queues), purge: purgeQueue(purges, purgeSlots) },
  });
  const uploads = purgeSlots > 0 ? startUploadTask(purges) : undefined;
  const notify = (): void => {
    relay.notify();
    workers.notify();
  };
  bus.subscribe([
    ...stages.map((stage) => onRequested(deps, stage, notify)),
    onPurgeRequested(purges, workers.abortVideo, notify),
  ]);
  bus.watch([onVideoCancelled(pool, workers.abortVideo)]);
  return {
    /** After a commit outside of jobs: publishes and claims at once. */
    notify,
    abortVideo: workers.abortVideo,
    close: async (): Promise<void> => {
      await uploads?.close();
      await workers.close();
    },
    /** Operations on a stage for operators, outside of its jobs. */
    handle: <P extends JobPayload, E extends StageEvents>(
      definition: Pick<StageDefinition<never, P, E>, 'name' | 'events'>,
      owner: StageOwner,
    ): StageHandle<P, E> => stageHandle(deps, stageNamed(stages, definition.name), owner),
  };
}

function countLimits(metrics: Metrics, stages: readonly BoundStage[]): Deps['passed'] {
  const help = 'Stalled tries, and stages over their work budget';
  const passed = metrics.counter('vds_stage_limits_passed_total', help, ['stage', 'limit']);
  // Initialised to 0, or increase() misses the first one.
  for (const { name: stage } of stages) for (const limit of limits) passed.inc({ stage, limit }, 0);
  return (stage, limit) => passed.inc({ stage, limit });
}

function startUploadTask({ pool, log, metrics, objects, againMs: olderThanMs }: PurgeOptions) {
  return objects && startAbortingUploads({ pool, log, metrics, objects, olderThanMs });
}

/** @throws if a job's queue has no slots configured, so that it would never run */
function checkQueues(stages: readonly BoundStage[], configured: readonly string[]): void {
  const used = stages.flatMap((stage) => Object.keys(stage.jobs).map((kind) => queueOf(stage, kind)));
  const missing = used.find((queue) => !configured.includes(queue));
  if (missing !== undefined) throw new AppError('INTERNAL', `no slots are configured for the queue ${missing}`);
}

function stageNamed(stages: readonly BoundStage[], name: string): BoundStage {
  const found = stages.find((stage) => stage.name === name);
  // Another version has it, and its workers will claim the jobs.
  if (!found) throw new AppError('ABORTED', `this version has no stage '${name}'`);
  return found;
}

/** One handler for the jobs of all stages: a job's row names its stage. */
function stageQueue(deps: Deps): Pick<Queue, 'run' | 'failed' | 'givesUp'> {
  const { stages } = deps;
  return {
    run: (job) => runJob(deps, stageNamed(stages, job.stage), job),
    failed: async (client, job, error) => {
      const stage = stageNamed(stages, job.stage);
      const ofStage = stageJob(deps, stage, job);
      const failed = stage.jobs[ofStage.payload.kind]?.failed;
      if (failed) await failed(client, ofStage, error, stage.deps);
      else await ofStage.stage.fail(client, stage.failure?.(error) ?? { code: 'internal_error', details: {} });
    },
    givesUp: (error, { stage: name, lastFailure }) => {
      if (isStalled(error)) deps.passed(name, 'stalled');
      // A job that stalls twice in a row will do so every time.
      if (isStalled(error) && lastFailure === 'timed_out') return true;
      return stageNamed(stages, name).givesUp?.(error, lastFailure) ?? false;
    },
  };
}

function isStalled(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'timed_out';
}

/** Runs one try of a stage's job, within the stage's limits. */
async function runJob(deps: Deps, stage: BoundStage, job: Job): Promise<void> {
  const row = await enterStage(deps, stage, job);
  if (row?.state !== 'open' && !stage.runsAfterEnd) return job.complete();
  const { owner, payload, stage: handle } = stageJob(deps, stage, job);
  if (row?.state === 'open') {
    const { stallMs, budgetMs } = stage.limits(row, stage.deps);
    if (row.workedMs > budgetMs) return endOverBudget(deps, stage, job, owner);
    job.stallAfter(stallMs);
  }
  const progress = async (percent: number): Promise<void> => {
    job.moved();
    await handle.progress(percent);
  };
  const sibling = (name: string) => stageHandle(deps, stageNamed(deps.stages, name), { ...owner, revision: 0 });
  const { run } = jobDefinition(stage, payload.kind);
  const request = row?.request ?? {};
  await countWork(deps, stage, job, () =>
    run({ ...job, ...owner, payload, request, stage: { ...handle, progress }, sibling }, stage.deps),
  );
}

async function endOverBudget(deps: Deps, stage: BoundStage, job: Job, owner: StageOwner): Promise<void> {
  await job.complete((client) => abortStage(deps, client, stage, owner));
  deps.passed(stage.name, 'over_budget');
  deps.log.error({ stage: stage.name }, 'stage over its work budget');
}

/** Adds the time of a try to its stage's work, unless it was interrupted or failed by a dependency. */
async function countWork(deps: Deps, stage: BoundStage, job: Job & StageKey, run: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  let counts = true;
  try {
    await run();
  } catch (error) {
    counts = !job.signal.aborted && !['dependency', 'crash'].includes(classify(error).class);
    throw error;
  } finally {
    if (counts)
      await addWork(deps.pool, stage.name, job, performance.now() - startedAt).catch((error: unknown) =>
        deps.log.info({ reason: messageOf(error) }, 'work of a try not counted'),
      );
  }
}

/** What a stage adds to one of its jobs. */
function stageJob(deps: Deps, stage: BoundStage, { videoId, attempt, revision, tenant, payload }: ClaimedJob) {
  const owner: StageOwner = { videoId, attempt, revision, publisherId: tenant };
  // Rows contain what `enqueue` received; its type was checked there.
  return { ...owner, owner, payload: payload as JobPayload, stage: stageHandle(deps, stage, owner) };
}

function onRequested(deps: Deps, stage: BoundStage, notify: () => void): EventHandler {
  return on(stage.events.requested, async ({ videoId, attempt, publisherId, revision = 0, ...request }) => {
    const taken = await takeRequest(deps, stage, { videoId, attempt, revision, publisherId, request });
    if (taken === 'aborted')
      deps.log.error({ video_id: videoId, stage: stage.name }, 'stage without a job left to end it: ended');
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
function onVideoCancelled(pool: Pool, abortVideo: (videoId: string) => void): EventHandler {
  return on(events.videoCancelled, async ({ videoId }) => {
    await withTransaction(pool, async (client) => {
      await lockVideo(client, videoId);
      // Jobs first: a transaction that ends a job holds the job's row and waits for the stage's.
      await cancelJobs(client, videoId);
      await cancelRows(client, videoId);
    });
    abortVideo(videoId);
  });
}
