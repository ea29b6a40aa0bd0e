/** The slots' door: a claimed unit of the fetch queues becomes one try to bring a source in. */
import type { AppError } from '@vds/chassis/errors';
import type { Pool, PoolClient } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import { enqueue, type Claimed, type Job, type Queue } from '@vds/chassis/work/work';
import { fetchSource, type FetchedSource, type StoredPart } from '../domain/fetch-source.ts';
import { nextTry, type RetryPolicy } from '../domain/retry.ts';
import { faultKindOf, sourceFault, type SourceFaultKind } from '../domain/source-fault.ts';
import { claimFetch, countFault, endCompleted, endFailed, type ClaimedFetch } from '../outbound/claimed-fetch.ts';
import { withDeadline } from '../outbound/deadline.ts';
import { publishEnded } from '../outbound/publisher.ts';
import type { BoundFetch } from '../outbound/fetch-ports.ts';

export type FetchWork = {
  readonly pool: Pool;
  readonly log: Logger;
  /** What one try reads and writes. */
  readonly bind: (fetch: ClaimedFetch, job: Job, signal: AbortSignal) => BoundFetch;
  /** Digest over the parts' digests. */
  readonly digestOf: (parts: readonly StoredPart[]) => string;
  readonly retry: RetryPolicy;
  /** From the first claim to the end. */
  readonly totalMs: number;
  /** Wakes the outbox relay. */
  readonly wake: () => void;
};

type Try = {
  readonly fetch: ClaimedFetch;
  readonly job: Job;
  /** When the try began, or its last part was stored. */
  readonly since: number;
  readonly progressed: boolean;
};

/** A queue of fetches. What goes wrong on our side is tried again by the chassis and ends as internal_error. */
export function fetchQueue(work: FetchWork, limits: Required<Pick<Queue, 'slots' | 'pollMs' | 'maxTries'>>): Queue {
  return {
    ...limits,
    run: (job) => run(work, job),
    failed: async (client: PoolClient, { groupKey: videoId, attempt }: Claimed) => {
      if (await endFailed(client, { videoId, attempt }, 'internal_error', {}))
        await publishEnded(client, { videoId, attempt, state: 'failed', code: 'internal_error', details: {} });
    },
  };
}

async function run(work: FetchWork, job: Job): Promise<void> {
  const fetch = await claimFetch(work.pool, { videoId: job.groupKey, attempt: job.attempt });
  if (!fetch) return job.complete(); // Cancelled, or ended under another unit.
  work.wake();
  const began = performance.now();
  let storedAt: number | undefined;
  let bound: BoundFetch | undefined;
  const attemptOnce = (signal: AbortSignal): Promise<FetchedSource> => {
    const { ports } = (bound = work.bind(fetch, job, signal));
    const keepPart = async (part: StoredPart): Promise<void> => {
      await ports.keepPart(part);
      storedAt = performance.now();
    };
    return fetchSource({ ...ports, keepPart }, fetch.stored);
  };
  try {
    const left = work.totalMs - fetch.runningMs;
    const fetched = await withDeadline(left, () => sourceFault('total_timeout'), job.signal, attemptOnce);
    await bound?.settled();
    await complete(work, job, fetch, fetched);
    work.log.info({ bytes: fetched.bytes, seconds: (performance.now() - began) / 1_000 }, 'a source is whole');
  } catch (error) {
    const fault = faultKindOf(error);
    if (!fault || job.signal.aborted) throw error;
    await bound?.settled();
    const verdict = await settleFault(
      work,
      { fetch, job, since: storedAt ?? began, progressed: storedAt !== undefined },
      fault,
      error as AppError,
    );
    if (verdict.kind === 'failed') await bound?.abandon();
  }
}

function complete(work: FetchWork, job: Job, fetch: ClaimedFetch, { key, parts, bytes }: FetchedSource): Promise<void> {
  const { videoId, attempt } = fetch;
  const digest = work.digestOf(parts);
  return job.complete(async (client) => {
    await endCompleted(client, fetch, digest);
    await publishEnded(client, { videoId, attempt, state: 'completed', sourceKey: key, sourceBytes: bytes, digest });
  });
}

/** Ends a try that met a fault of the source: another unit for later, or the end of the fetch. */
async function settleFault(
  work: FetchWork,
  { fetch, job, since, progressed }: Try,
  fault: SourceFaultKind,
  error: AppError,
) {
  const sinceMs = performance.now() - since;
  const tries = progressed ? 1 : fetch.tries + 1;
  const elapsedMs = progressed ? sinceMs : fetch.failingMs + sinceMs;
  const verdict = nextTry({ fault, tries, elapsedMs }, work.retry, Math.random());
  work.log.info({ fault, tries, err: error.cause, ...verdict }, 'a source could not be fetched');
  await job.complete(async (client) => {
    if (verdict.kind === 'failed') return fail(client, fetch, verdict.code, error.details);
    await countFault(client, fetch, tries, sinceMs);
    const { groupKey, attempt, tenant, payload } = job;
    const unit = `source.${fetch.fence + 1}`;
    await enqueue(client, [{ queue: 'fetch', groupKey, attempt, tenant, payload, unit, delayMs: verdict.delayMs }]);
  });
  return verdict;
}

async function fail(
  client: PoolClient,
  { videoId, attempt }: ClaimedFetch,
  code: string,
  details: AppError['details'],
) {
  if (await endFailed(client, { videoId, attempt }, code, details))
    await publishEnded(client, { videoId, attempt, state: 'failed', code, details });
}
