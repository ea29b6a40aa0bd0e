/** The fetch stage: one job; each claim is one try to fetch a source into the bucket. */
import type { AppError } from '@vds/chassis/errors';
import type { Pool } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import { defineStage, type StageJob } from '@vds/chassis/stage/define-stage';
import { stageEvents } from '@vds/proto/events';
import { fetchSource, type FetchedSource, type StoredPart } from '../domain/fetch-source.ts';
import { nextTry, type RetryPolicy, type Verdict } from '../domain/retry.ts';
import { faultKindOf, sourceFault, type SourceFaultKind } from '../domain/source-fault.ts';
import { withDeadline } from '../outbound/deadline.ts';
import { createFetchPorts, digestOf, type BoundFetch, type FetchPortsOptions } from '../outbound/fetch-ports.ts';
import { countFault, openFetch, type FetchState } from '../outbound/fetch-rows.ts';

export type Deps = FetchPortsOptions & {
  readonly pool: Pool;
  readonly log: Logger;
  readonly retry: RetryPolicy;
  /** From the first claim to the end. */
  readonly totalMs: number;
};
type SourceJob = { readonly kind: 'source' };
export type FetchJob = StageJob<SourceJob, typeof stageEvents.fetch>;

type Try = {
  readonly state: FetchState;
  /** When the try began, or its last part was stored. */
  readonly since: number;
  readonly progressed: boolean;
};

/** The chassis retries faults of our own, which end as internal_error. */
export const fetch = defineStage<Deps, SourceJob, typeof stageEvents.fetch>({
  name: 'fetch',
  events: stageEvents.fetch,
  plan: () => [{ name: 'source', payload: { kind: 'source' } }],
  jobs: { source: { run: runFetch } },
  // A signed address is a secret.
  secretRequest: true,
});

async function runFetch(job: FetchJob, deps: Deps): Promise<void> {
  const state = await openFetch(deps.pool, job);
  const began = performance.now();
  let storedAt: number | undefined;
  let bound: BoundFetch | undefined;
  const attemptOnce = (signal: AbortSignal): Promise<FetchedSource> => {
    const { ports } = (bound = createFetchPorts(deps, job, state, signal));
    const keepPart = async (part: StoredPart): Promise<void> => {
      await ports.keepPart(part);
      storedAt = performance.now();
    };
    return fetchSource({ ...ports, keepPart }, state.stored);
  };
  try {
    const left = deps.totalMs - job.runningMs;
    const fetched = await withDeadline(left, () => sourceFault('total_timeout'), job.signal, attemptOnce);
    await complete(job, fetched);
    deps.log.info({ bytes: fetched.bytes, seconds: (performance.now() - began) / 1_000 }, 'source fetched');
  } catch (error) {
    const fault = faultKindOf(error);
    if (!fault || job.signal.aborted) throw error;
    const tried = { state, since: storedAt ?? began, progressed: storedAt !== undefined };
    const verdict = await settleFault(job, deps, tried, fault, error as AppError);
    if (verdict.kind === 'failed') await bound?.abandon();
  }
}

function complete(job: FetchJob, { key, parts, bytes }: FetchedSource): Promise<void> {
  const result = { sourceKey: key, sourceBytes: bytes, digest: digestOf(parts) };
  return job.complete(async (client) => void (await job.stage.complete(client, result)));
}

/** Ends a try with a source fault: schedules another one, or fails the fetch. */
async function settleFault(
  job: FetchJob,
  { retry, log }: Deps,
  { state, since, progressed }: Try,
  fault: SourceFaultKind,
  error: AppError,
): Promise<Verdict> {
  const sinceMs = performance.now() - since;
  const tries = progressed ? 1 : state.tries + 1;
  const elapsedMs = progressed ? sinceMs : state.failingMs + sinceMs;
  const verdict = nextTry({ fault, tries, elapsedMs }, retry, Math.random());
  log.info({ fault, tries, err: error.cause, ...verdict }, 'a source could not be fetched');
  if (verdict.kind === 'again')
    await job.postpone(verdict.delayMs, (client) => countFault(client, job, tries, sinceMs));
  else {
    const failure = { code: verdict.code, details: error.details };
    await job.complete(async (client) => void (await job.stage.fail(client, failure)));
  }
  return verdict;
}
