/**
 * The runtime of all stages of a service: it consumes requests, cancellations and purges, runs jobs in slots, and
 * publishes their events. A service declares its specifics with `defineStage`.
 */
import { events } from '@vds/proto/events';
import { on, type Bus, type EventHandler } from '../bus/bus.ts';
import { withTransaction, type Pool, type PoolClient } from '../database/database.ts';
import type { Outgoing } from '../database/outbox.ts';
import { AppError } from '../errors.ts';
import { cancelJobs } from '../work/job-rows.ts';
import { startWorkers, type ClaimedJob, type Queue, type WorkerOptions } from '../work/work.ts';
import type { JobPayload, NewJob, StageDefinition, StageEvents, StageHandle, StageJob } from './define-stage.ts';
import { purgeQueue, requestPurge, type PurgeDefinition, type PurgeOptions } from './purge.ts';
import { enterStage, stageHandle, takeRequest, type StageLife, type StageOwner } from './stage-life.ts';
import { cancelRows, forgetRequest, type StageRequest } from './stage-rows.ts';
import { lockVideo } from './tombstones.ts';

/** A definition bound to its dependencies, its types erased. */
export type BoundStage = {
  readonly life: StageLife;
  readonly queues: readonly string[];
  readonly outlivesItself: boolean;
  readonly plan: (request: StageRequest<unknown>, client: PoolClient) => Promise<readonly NewJob<never>[]>;
  readonly alsoStarted: (request: StageRequest<unknown>, pool: Pool) => Promise<readonly Outgoing[]>;
  readonly run: (job: AnyJob) => Promise<void>;
  readonly failed: (client: PoolClient, job: AnyFailedJob, error: unknown) => Promise<unknown>;
  readonly givesUp: (error: unknown, tries: number) => boolean;
};
type AnyHandle = StageHandle<never, StageEvents>;
type AnyFailedJob = StageOwner & { readonly payload: JobPayload; readonly stage: AnyHandle };
type AnyJob = Omit<StageJob<JobPayload, StageEvents>, 'stage' | 'request'> & {
  readonly request: unknown;
  readonly stage: AnyHandle;
};

export type StagesOptions = Pick<
  WorkerOptions,
  'pool' | 'log' | 'metrics' | 'leaseMs' | 'renewMs' | 'pollMs' | 'retryDelaysMs'
> & {
  readonly bus: Pick<Bus, 'subscribe' | 'watch'>;
  readonly relay: { readonly wake: () => void };
  readonly stages: readonly BoundStage[];
  /** Slots of every queue that a job names. */
  readonly queues: Readonly<Record<string, Pick<Queue, 'slots' | 'maxTries' | 'pollMs'>>>;
  readonly purge: PurgeDefinition & { readonly slots: number; readonly againMs: number };
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
  // From here on all stages are handled alike: what P and E typed is distinguished by `kind` at run time.
  const {
    name,
    events: stageEvents,
    jobs,
    ...rest
  } = definition as unknown as StageDefinition<Deps, JobPayload, StageEvents>;
  const jobOf = (kind: string) => {
    const found = jobs[kind];
    if (!found) throw new AppError('INTERNAL', `stage ${name} has no job '${kind}'`);
    return found;
  };
  const queueOf = (kind: string): string => jobOf(kind).queue ?? name;
  return {
    life: { name, events: stageEvents, secretRequest: rest.secretRequest === true, queueOf },
    queues: [...new Set(Object.keys(jobs).map(queueOf))],
    outlivesItself: rest.outlivesItself === true,
    plan: async (request, client) => rest.plan(request as never, deps, client) as Promise<readonly NewJob<never>[]>,
    alsoStarted: async (request, pool) => (await rest.alsoStarted?.(request as never, pool)) ?? [],
    run: (job) => jobOf(job.payload.kind).run(job as never, deps),
    failed: (client, job, error) => {
      const { failed } = jobOf(job.payload.kind);
      if (failed) return failed(client, job as never, error, deps);
      return job.stage.fail(client, rest.failure?.(error) ?? { code: 'internal_error', details: {} });
    },
    givesUp: rest.givesUp ?? (() => false),
  };
}

/** Starts consuming events and running jobs. `close` releases running jobs at no cost of a try. */
export function startStages(options: StagesOptions) {
  const { pool, log, bus, relay, stages, purge, progressEveryMs = 2_000 } = options;
  checkQueues(stages, Object.keys(options.queues));
  const life = { pool, publish: relay.wake, progressEveryMs };
  const purges: PurgeOptions = {
    ...purge,
    pool,
    log,
    cancelled: (client, videoId) => forgetSecrets(client, stages, videoId),
  };
  const stageQueues = Object.entries(options.queues).map(([name, settings]): [string, Queue] => [
    name,
    { ...settings, ...stageQueue(life, stages) },
  ]);
  const workers = startWorkers({
    ...options,
    afterSettle: relay.wake,
    queues: { ...Object.fromEntries(stageQueues), purge: purgeQueue(purges, purge.slots), ...options.otherQueues },
  });
  const notify = (): void => {
    relay.wake();
    workers.notify();
  };
  bus.subscribe([
    ...stages.map((stage) => onRequested(pool, stage, notify)),
    onPurgeRequested(purges, workers.abortVideo, notify),
  ]);
  bus.watch([onVideoCancelled(pool, stages, workers.abortVideo)]);
  return {
    /** After a commit outside of jobs: publishes and claims at once. */
    notify,
    abortVideo: workers.abortVideo,
    close: workers.close,
    /** Operations on a stage for operators, outside of its jobs. */
    handle: <P extends JobPayload, E extends StageEvents>(
      definition: Pick<StageDefinition<never, P, E>, 'name' | 'events'>,
      owner: StageOwner,
    ): StageHandle<P, E> => {
      const { life: stage } = stageNamed(stages, definition.name);
      return stageHandle(life, stage, owner) as unknown as StageHandle<P, E>;
    },
  };
}

/**
 * @throws where a job's queue has no slots configured, or a configured queue has no job, so that one would never run
 */
function checkQueues(stages: readonly BoundStage[], configured: readonly string[]): void {
  const used = new Set(stages.flatMap(({ queues }) => queues));
  const missing = [...used].filter((queue) => !configured.includes(queue));
  if (missing.length > 0) throw new AppError('INTERNAL', `no slots are configured for the queue ${missing.join(', ')}`);
}

function stageNamed(stages: readonly BoundStage[], name: string): BoundStage {
  const found = stages.find(({ life }) => life.name === name);
  if (!found) throw new AppError('INTERNAL', `there is no stage '${name}' in this service`);
  return found;
}

async function forgetSecrets(client: PoolClient, stages: readonly BoundStage[], videoId: string): Promise<void> {
  for (const { life } of stages) if (life.secretRequest) await forgetRequest(client, life.name, videoId);
}

/** One handler for the jobs of all stages: a job's row names its stage. */
function stageQueue(
  deps: Parameters<typeof stageHandle>[0],
  stages: readonly BoundStage[],
): Pick<Queue, 'run' | 'failed' | 'givesUp'> {
  return {
    run: async (job) => {
      const stage = stageNamed(stages, job.stage);
      const row = await enterStage(deps, stage.life, job, (request) => stage.alsoStarted(request, deps.pool));
      if (row?.state !== 'open' && !stage.outlivesItself) return job.complete();
      const owner = ownerOf(job);
      const handle = stageHandle(deps, stage.life, owner);
      const { request, runningMs } = row ?? { request: {}, runningMs: 0 };
      const ofStage = { ...owner, request, runningMs: runningMs ?? 0, stage: handle };
      await stage.run({ ...job, ...ofStage, payload: payloadOf(job) });
    },
    failed: async (client, job, error) => {
      const stage = stageNamed(stages, job.stage);
      const handle = stageHandle(deps, stage.life, ownerOf(job));
      await stage.failed(client, { ...ownerOf(job), payload: payloadOf(job), stage: handle }, error);
    },
    givesUp: (error, { stage, tries }) => stageNamed(stages, stage).givesUp(error, tries),
  };
}

function ownerOf({ videoId, attempt, revision, tenant }: ClaimedJob): StageOwner {
  return { videoId, attempt, revision, publisherId: tenant };
}

/** Rows contain what `enqueue` received; its type was checked there. */
function payloadOf({ payload }: ClaimedJob): JobPayload {
  return payload as JobPayload;
}

function onRequested(pool: Pool, { life, plan }: BoundStage, notify: () => void): EventHandler {
  return on(life.events.requested, async ({ videoId, attempt, publisherId, revision = 0, ...request }) => {
    const received = { videoId, attempt, revision, publisherId, request };
    await takeRequest(pool, life, received, (client) => plan(received, client));
    notify();
  });
}

function onPurgeRequested(
  purges: PurgeOptions,
  abortVideo: (videoId: string) => void,
  notify: () => void,
): EventHandler {
  return on(events.purgeRequested, async ({ videoId, scope, keepAttempt, owners }) => {
    if (!owners.includes(purges.event.owner) || scope === 'PURGE_SCOPE_UNSPECIFIED') return;
    await requestPurge(purges, { videoId, scope, keepAttempt });
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
