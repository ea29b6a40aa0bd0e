/** The fetch stage: one job; each claim is one try to fetch a source into the bucket. */
import { createHash } from 'node:crypto';
import type { AppError } from '@vds/chassis/errors';
import { defineStage, type StageJob } from '@vds/chassis/stage/define-stage';
import { stageEvents } from '@vds/proto/events';
import { nextTry, type RetryPolicy, type TrySoFar, type RetryDecision } from '../domain/retry.ts';
import { faultKindOf } from '../domain/source-fault.ts';
import type { StoredPart } from '../domain/stored-source.ts';
import { countFault, openFetch } from '../outbound/fetch-rows.ts';
import { abandonUpload, fetchSource, type Deps as FetchDeps, type FetchTry } from '../outbound/fetch-source.ts';
import { startSourceClock } from '../outbound/source-clock.ts';

export type Deps = FetchDeps & {
  readonly retry: RetryPolicy;
  /** How long a fetch may wait for its source, over all tries and the pauses between them. */
  readonly totalMs: number;
};
type SourceJob = { readonly kind: 'source' };
export type FetchJob = StageJob<SourceJob, typeof stageEvents.fetch>;

/** The chassis retries faults of our own, which end as internal_error. */
export const fetchStage = defineStage<Deps, SourceJob, typeof stageEvents.fetch>({
  name: 'fetch',
  events: stageEvents.fetch,
  plan: () => [{ name: 'source', payload: { kind: 'source' } }],
  jobs: { source: { run: runFetch } },
  // A signed address is a secret.
  secretRequest: true,
});

async function runFetch(job: FetchJob, deps: Deps): Promise<void> {
  const { stored, tries, failingMs, sourceMs } = await openFetch(deps.pool, job);
  const clock = startSourceClock(deps.totalMs - sourceMs, job.signal);
  const current: FetchTry = { job, stored, clock, upload: stored.upload, hasStored: false };
  const began = performance.now();
  try {
    const { key, parts, bytes } = await fetchSource(deps, current);
    const result = { sourceKey: key, sourceBytes: bytes, digest: digestOf(parts) };
    await job.complete(async (client) => void (await job.stage.complete(client, result)));
    deps.log.info({ bytes, seconds: (performance.now() - began) / 1_000 }, 'source fetched');
  } catch (error) {
    const fault = faultKindOf(error);
    if (!fault || job.signal.aborted) throw error;
    const lapMs = clock.lap();
    const soFar: TrySoFar = current.hasStored
      ? { fault, tries: 1, elapsedMs: lapMs }
      : { fault, tries: tries + 1, elapsedMs: failingMs + lapMs };
    const { kind } = await endTry(job, deps, { ...soFar, lapMs }, error as AppError);
    if (kind === 'failed') await abandonUpload(deps, current);
  }
}

/** SHA-256, hexadecimal, over the parts' SHA-256. */
function digestOf(parts: readonly StoredPart[]): string {
  return parts.reduce((hash, { sha256 }) => hash.update(sha256), createHash('sha256')).digest('hex');
}

/** Ends a try with a source fault: schedules another one, or fails the fetch. */
async function endTry(
  job: FetchJob,
  { retry, log }: Deps,
  { lapMs: beganMs, ...soFar }: TrySoFar & { readonly lapMs: number },
  error: AppError,
): Promise<RetryDecision> {
  const { fault, tries } = soFar;
  const verdict = nextTry(soFar, retry, Math.random());
  log.info({ fault, tries, err: error.cause, ...verdict }, 'a source could not be fetched');
  if (verdict.kind === 'retry') {
    const faulty = { tries, beganMs, sourceMs: beganMs + verdict.delayMs };
    await job.postpone(verdict.delayMs, (client) => countFault(client, job, faulty));
  } else {
    const failure = { code: verdict.code, details: error.details };
    await job.complete(async (client) => void (await job.stage.fail(client, failure)));
  }
  return verdict;
}
