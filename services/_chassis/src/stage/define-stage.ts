/**
 * What a service declares about a stage that it owns; `startStages` does the rest. Catalog requests a stage and
 * republishes the request until it has a terminal event. The row is opened by the request, started at the first claim
 * of a job, and ended by exactly one terminal event per revision. A repeated request brings what it carries up to
 * date while the stage is open; once it has ended, its terminal event is republished.
 */
import type { EventType } from '@vds/proto/events';
import type { Executor, PoolClient } from '../database/database.ts';
import type { Outgoing } from '../database/outbox.ts';
import { AppError } from '../errors.ts';
import type { Job } from '../work/queue.ts';
import type { StageFailure, StageKey, StageRequest } from './stage-rows.ts';

/** Limits of one stage, in milliseconds. */
export type StageLimits = {
  /** Longest time a try may make no progress. */
  readonly stallMs: number;
  /** Maximum work of its jobs together; tries that were interrupted or failed by a dependency do not count. */
  readonly budgetMs: number;
};

/** The configured limits, with a budget of at least `times` the duration of the video in milliseconds. */
export function limitsFor({ stallMs, budgetMs }: StageLimits, durationMs: number, times: number): StageLimits {
  return { stallMs, budgetMs: Math.max(budgetMs, times * durationMs) };
}

export type { StageFailure, StageKey, StageRequest } from './stage-rows.ts';

/** The fields of every request for a stage; `revision` is omitted by stages that are requested once per attempt. */
type RequestMessage = {
  readonly videoId: string;
  readonly attempt: number;
  readonly publisherId: string;
  readonly revision?: number;
};

/** A stage's rows of the event table. */
export type StageEvents = {
  readonly requested: EventType<never, RequestMessage>;
  readonly started: EventType<StageKey, unknown>;
  readonly progressed: EventType<StageKey & { percent: number; waiting?: string }, unknown>;
  readonly completed: EventType<never, object>;
  readonly failed: EventType<StageKey & { code: string; details: Record<string, string> }, unknown>;
};
/** What a request carries besides its key, as job handlers see it. */
export type RequestOf<E extends StageEvents> =
  E['requested'] extends EventType<never, infer M> ? Omit<M, keyof RequestMessage> : never;
/** What the completed event carries besides its key. */
export type ResultOf<E extends StageEvents> =
  E['completed'] extends EventType<never, infer M> ? Omit<M, keyof StageKey> : object;

/** Payloads of a stage's jobs: a union discriminated by `kind`. */
export type JobPayload = { readonly kind: string };
export type NewJob<P extends JobPayload> = {
  /** Unique within video, attempt and revision; an existing one is left unchanged. */
  readonly name: string;
  readonly payload: P;
  /** Expected work left for the video, in seconds: among one publisher's jobs the smallest goes first. */
  readonly cost?: number;
  /** Where it reads from, such as a host, if slots are shared among those too. */
  readonly origin?: string;
  readonly delayMs?: number;
};

/** A claimed job of a stage. `progress` is the job's own, `stage` controls the stage as a whole. */
export type StageJob<P extends JobPayload, E extends StageEvents, Kind extends P['kind'] = P['kind']> = StageRequest<
  RequestOf<E>
> &
  Pick<Job, 'id' | 'name' | 'fence' | 'signal' | 'complete' | 'postpone' | 'progress' | 'originUnreachable'> & {
    readonly payload: Extract<P, { kind: Kind }>;
    readonly stage: StageHandle<P, E>;
    /** The same operations on another stage of the service, of the same attempt. */
    readonly sibling: (name: string) => StageHandle<JobPayload, StageEvents>;
  };

/** Operations on the stage of one request. */
export type StageHandle<P extends JobPayload, E extends StageEvents> = {
  /** Adds jobs inside the caller's transaction. */
  readonly enqueue: (client: Executor, jobs: readonly NewJob<P>[]) => Promise<void>;
  /** Blocks other transactions on the stage, so that of two jobs ending together one always sees itself as the last. */
  readonly lock: (client: Executor) => Promise<void>;
  /** Locks the stage and replaces what its request carries; false, and neither, unless it is open. */
  readonly replaceRequest: (client: Executor, request: RequestOf<E>) => Promise<boolean>;
  /**
   * Removes jobs by their names, unless they are being claimed, renewed or ended right now. Running ones lose their
   * lease where `running` is set, and stay otherwise.
   */
  readonly remove: (client: Executor, names: readonly string[], running: boolean) => Promise<void>;
  /** Reports the progress of the stage, 0 to 100; published only when it has risen, and at most every two seconds. */
  readonly progress: (percent: number) => Promise<void>;
  /** Reports that a try ended with this failure code and is repeated, in the transaction of `job.postpone`. */
  readonly waiting: (client: Executor, code: string, fence: number) => Promise<void>;
  /**
   * Completes the stage, in the transaction of `job.complete`; false if it has already ended: the result is dropped.
   */
  readonly complete: (client: Executor, result: ResultOf<E>) => Promise<boolean>;
  /** Fails the stage and cancels its other jobs; false if it has already ended. */
  readonly fail: (client: Executor, failure: StageFailure) => Promise<boolean>;
};

type JobDefinition<Deps, P extends JobPayload, E extends StageEvents, Kind extends P['kind']> = {
  /** The queue whose slots run it; the stage's own name unless given. */
  readonly queue?: string;
  /** Runs the job and ends it with `job.complete`. Throwing decides about another try by the error's class. */
  readonly run: (job: StageJob<P, E, Kind>, deps: Deps) => Promise<void>;
  /** Runs instead of failing the stage, in the transaction that marks this job as failed. */
  readonly failed?: (client: PoolClient, job: FailedJob<P, E, Kind>, error: unknown, deps: Deps) => Promise<unknown>;
};
export type FailedJob<P extends JobPayload, E extends StageEvents, Kind extends P['kind'] = P['kind']> = StageKey & {
  readonly payload: Extract<P, { kind: Kind }>;
  readonly stage: StageHandle<P, E>;
};

export type StageDefinition<Deps, P extends JobPayload, E extends StageEvents> = {
  /** Unique within the service. */
  readonly name: string;
  readonly events: E;
  /** The first jobs of a request; runs in the transaction that opens the stage. */
  readonly plan: (
    request: StageRequest<RequestOf<E>>,
    deps: Deps,
    client: PoolClient,
  ) => readonly NewJob<P>[] | Promise<readonly NewJob<P>[]>;
  readonly jobs: { readonly [Kind in P['kind']]: JobDefinition<Deps, P, E, Kind> };
  /**
   * When the stage fails by itself. Any new value of `job.progress` or `job.stage.progress` counts as progress; a job
   * that reports none must end within `stallMs`. The budget is checked before each try.
   */
  readonly limits: (request: StageRequest<RequestOf<E>>, deps: Deps) => StageLimits;
  /** Runs instead of failing the stage when it is over its work budget or no job is left that could end it. */
  readonly onAbort?: (
    client: PoolClient,
    stage: StageKey & { readonly stage: StageHandle<P, E> },
    deps: Deps,
  ) => Promise<unknown>;
  /** Published with a repeated terminal event: what has changed since the stage ended. */
  readonly alsoRepeated?: (key: StageKey, client: Executor) => Promise<readonly Outgoing[]>;
  /** Maps an error to a failure; `internal_error` unless given. */
  readonly failure?: (error: unknown) => StageFailure;
  /**
   * Whether another try of a job is pointless after a defect, beyond errors that are permanent by their code.
   * `lastFailure` is the reason of the job's previous defect or crash.
   */
  readonly givesUp?: (error: unknown, lastFailure: string | null) => boolean;
  /** Its jobs also run after it has ended, when an operator reruns part of it; they must not rely on `request`. */
  readonly runsAfterEnd?: boolean;
};

/** A definition bound to the dependencies of its jobs. Its types are erased: `kind` distinguishes jobs at run time. */
export type BoundStage = StageDefinition<unknown, JobPayload, StageEvents> & { readonly deps: unknown };

/** Fixes the types of a definition; `startStages` runs it. */
export function defineStage<Deps, P extends JobPayload, E extends StageEvents>(
  definition: StageDefinition<Deps, P, E>,
): StageDefinition<Deps, P, E> {
  return definition;
}

/** For `givesUp`: a tool that fails twice in a row on the same input will fail every time. */
export function toolFailedTwice(error: unknown, lastFailure: string | null): boolean {
  return error instanceof AppError && error.reason === 'tool_failed' && lastFailure === 'tool_failed';
}
