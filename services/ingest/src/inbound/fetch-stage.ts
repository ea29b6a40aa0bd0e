/** The fetch stage: one job; each claim is one try to fetch a source into the bucket. */
import { createHash } from 'node:crypto';
import type { Executor } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { defineStage, type StageJob, type StageLimits } from '@vds/chassis/stage/define-stage';
import { stageEvents } from '@vds/proto/events';
import { fetchSource, type FetchTry } from '../domain/jobs/fetch-source.ts';
import { nextTry, type RetryPolicy, type TrySoFar, type RetryDecision } from '../domain/retry.ts';
import { faultKindOf, isUnreached, sourceFaults } from '../domain/source-fault.ts';
import { hostOf } from '../domain/source-url.ts';
import type { StoredPart } from '../domain/stored-source.ts';
import { countFault, openFetch } from '../outbound/fetch-rows.ts';
import { fetchPorts, findIntact, type Deps as FetchDeps } from '../outbound/fetch-ports.ts';
import { startSourceClock } from '../outbound/source-clock.ts';

export type Deps = FetchDeps &
  StageLimits & {
    /** Where the file of a video's attempt is. */
    readonly sourceAddress: (videoId: string, attempt: number) => Promise<string>;
    readonly retry: RetryPolicy;
    /** How long a fetch may wait for its source, over all tries and the pauses between them. */
    readonly totalMs: number;
  };
type SourceJob = { readonly kind: 'source' };
export type FetchJob = StageJob<SourceJob, typeof stageEvents.fetch>;

/**
 * A fetch may hold its slot for two hours. A publisher never takes the last quarter of the slots, or one who comes later
 * would find none; of the overdue slots, which are the last resort, at most a quarter. One host may be slow.
 */
export const fetchShares = { tenant: 1 / 4, origin: 1 / 8, most: 3 / 4 } as const;
export const overdueShares = { ...fetchShares, most: 1 / 4 } as const;

/** The chassis retries faults of our own, which end as internal_error. */
export const fetchStage = defineStage<Deps, SourceJob, typeof stageEvents.fetch>({
  name: 'fetch',
  events: stageEvents.fetch,
  plan: ({ request }) => [{ name: 'source', payload: { kind: 'source' }, origin: originOf(request.sourceHost) }],
  jobs: { source: { run: runFetch } },
  // A fetch that takes too long fails by `totalMs`, with a code that tells the partner.
  limits: (_request, { stallMs, totalMs }) => ({ stallMs, budgetMs: 2 * totalMs }),
});

/** The host that slots are shared by, whatever its port; '' for an address that the fetch will reject. */
function originOf(sourceHost: string): string {
  const url = URL.parse(`https://${sourceHost}`);
  return url ? hostOf(url) : '';
}

async function runFetch(job: FetchJob, deps: Deps): Promise<void> {
  // May be a signed one: read for each try, and stored nowhere.
  const sourceUrl = await deps.sourceAddress(job.videoId, job.attempt);
  const { stored, sourceWaitMs, tries, failingMs } = await openFetch(deps.pool, job);
  const clock = startSourceClock(deps.totalMs - sourceWaitMs, job.signal);
  const ports = fetchPorts(deps, job, sourceUrl, clock);
  const kept = await findIntact(deps.objects, stored);
  let current: FetchTry = { ...kept, isProgress: tries === 0, hasProgressed: false };
  const note = (next: FetchTry): void => void (current = next);
  const began = performance.now();
  try {
    const { key, parts, bytes } = await fetchSource({ ports, note }, current);
    const result = { sourceKey: key, sourceBytes: bytes, digest: digestOf(parts) };
    await job.complete(async (client) => void (await job.stage.complete(client, result)));
    deps.log.info({ bytes, seconds: (performance.now() - began) / 1_000 }, 'source fetched');
  } catch (error) {
    const fault = faultKindOf(error);
    if (!fault || job.signal.aborted) throw error;
    if (isUnreached(fault) && job.originUnreachable())
      throw new AppError('UNAVAILABLE', 'several hosts in a row cannot be reached', { cause: error });
    const lapMs = clock.lap();
    const soFar = current.hasProgressed
      ? { fault, tries: 1, elapsedMs: lapMs }
      : { fault, tries: tries + 1, elapsedMs: failingMs + clock.waited() };
    const { kind } = await endTry(job, deps, { ...soFar, lapMs }, error as AppError);
    if (kind === 'failed' && current.source) await ports.remove(current.source);
  }
}

/** SHA-256, hexadecimal, over the parts' SHA-256. */
function digestOf(parts: readonly StoredPart[]): string {
  return parts.reduce((hash, { sha256 }) => hash.update(sha256), createHash('sha256')).digest('hex');
}

/** For the operator, who sees no log: `try 2: the host cannot serve the file now (http_status 503)`. */
function describeTry(tries: number, { message, details }: AppError): string {
  const facts = Object.entries(details).map(([name, value]) => `${name} ${value}`);
  return `try ${tries}: ${message}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

/** Ends a try with a source fault: schedules another one, or fails the fetch. */
async function endTry(
  job: FetchJob,
  { retry, log }: Deps,
  { lapMs, ...soFar }: Omit<TrySoFar, 'retryAfterMs'> & { readonly lapMs: number },
  error: AppError,
): Promise<RetryDecision> {
  const { fault, tries } = soFar;
  const retryAfterMs = 1_000 * Number(error.details['retry_after_seconds'] ?? 0);
  const verdict = nextTry({ ...soFar, retryAfterMs }, retry, Math.random());
  log.info({ fault, tries, err: error.cause, ...verdict }, 'a source could not be fetched');
  if (verdict.kind === 'retry') {
    const faulty = { tries, sourceWaitMs: lapMs + verdict.delayMs };
    const postponed = async (client: Executor): Promise<void> => {
      await countFault(client, job, faulty);
      await job.stage.waiting(client, sourceFaults[fault].code, job.fence);
    };
    await job.postpone(verdict.delayMs, postponed, describeTry(tries, error));
  } else {
    const failure = { code: verdict.code, details: error.details };
    await job.complete(async (client) => void (await job.stage.fail(client, failure)));
  }
  return verdict;
}
