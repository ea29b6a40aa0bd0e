/**
 * Fills a new index of the current mapping from the owners' data while both are written, then serves it. The replica that
 * runs it holds a lease; when that expires, another replica continues from the saved position.
 */
import { AppError, messageOf } from '@vds/chassis/errors';
import { pause } from '@vds/chassis/async';
import type { Logger } from '@vds/chassis/telemetry/log';
import { isSuspiciouslySmall } from '../../domain/index-size.ts';
import { holdLease, isTakenOver, watchLease, type HeldLease } from './reindex-lease.ts';
import type { ReindexState, ReindexStateStore, Saved } from './reindex-state.ts';
import type { Documents } from '../documents.ts';
import type { Indexes } from '../indexes.ts';
import type { Range, Step, Sweep } from '../sweep-index.ts';

type Deps = {
  readonly store: ReindexStateStore;
  readonly indexes: Indexes;
  readonly documents: Documents;
  readonly sweep: Sweep;
  /** After how long without a renewal another replica continues. */
  readonly leaseMs: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
};
type Running = Deps & { readonly lease: HeldLease };
/** `force`: serve the new index however few videos it has. */
export type ReindexRequest = { readonly actor: string; readonly reason: string; readonly force?: boolean };
export type Reindex = ReturnType<typeof openReindex>;

/** Parts of the list that are filled at a time, each with the sweep's concurrency. */
const PARALLEL_RANGES = 4;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export function openReindex(deps: Deps) {
  const { store, indexes, log } = deps;
  const isExpired = watchLease(deps.leaseMs);
  let running: Promise<void> | undefined;
  const begin = (claimed: Saved): void => {
    running = run({ ...deps, lease: holdLease(deps, claimed) }).finally(() => (running = undefined));
  };
  return {
    /** The last one, running or not. */
    read: async (): Promise<ReindexState | undefined> => (await store.read())?.state,
    /** Starts one, or returns the one that runs. */
    start: async (request: ReindexRequest): Promise<ReindexState> => {
      const last = await store.read();
      if (last?.state.state === 'running') return last.state;
      const from = (await indexes.behind(indexes.serving)) ?? '';
      const claimed = await store.save(newState(from, request), last?.seqNo);
      log.info(request, 'reindex started');
      begin(claimed);
      return claimed.state;
    },
    /** Continues a reindex whose lease has expired. */
    resume: async (): Promise<void> => {
      const last = await store.read();
      if (running || last?.state.state !== 'running' || !isExpired(last)) return;
      try {
        begin(await store.save(last.state, last.seqNo));
      } catch (error) {
        if (!isTakenOver(error)) throw error; // else another replica was first
      }
    },
    close: async (): Promise<void> => running,
  };
}

/** Runs one to its end, and never throws: after an error that may pass, another run continues once the lease has expired. */
async function run(deps: Running): Promise<void> {
  const { lease, log } = deps;
  const interrupted = (error: unknown): void => {
    if (isTakenOver(error)) log.info('reindex continued by another replica');
    else log.warn({ reason: messageOf(error) }, 'reindex interrupted');
  };
  try {
    await reindex(deps);
  } catch (error) {
    if (!isFinal(error)) return interrupted(error);
    await failReindex(deps, error).catch(interrupted);
  } finally {
    await lease.release();
  }
}

/**
 * A retry would not help: OpenSearch rejects a request, or the new index must not be served. Errors of other services
 * are UNAVAILABLE here, whatever they reply (`sweep-index.ts`).
 */
function isFinal(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'INTERNAL' || error.code === 'FAILED_PRECONDITION');
}

async function reindex(deps: Running): Promise<void> {
  const { indexes, sweep, lease } = deps;
  const { to_index: to } = lease.state();
  if (to !== '' && (await indexes.behind(indexes.serving)) === to) return finish(deps);
  await chooseTarget(deps);
  await fill(deps);
  await checkSize(deps);
  // Of what changed since, only the end of the list is read again: changes are written to both indexes meanwhile.
  await sweep.savePosition(indexes.filling, lease.state().ranges?.at(-1)?.after ?? 0);
  await indexes.serve(lease.state().to_index);
  await finish(deps);
}

/** The index to fill: the one of the state, unless it is gone. */
async function chooseTarget({ lease, indexes }: Running): Promise<void> {
  const begun = await indexes.behind(indexes.filling);
  if (begun !== undefined && begun === lease.state().to_index) return;
  if (begun !== undefined) await indexes.drop(begun);
  await lease.save({ to_index: await indexes.make(indexes.filling), ranges: [], seen: 0, written: 0 });
}

/** Several parts of the list at a time; the first error ends all. */
async function fill(deps: Running): Promise<void> {
  const { lease, sweep } = deps;
  let { ranges = [], seen, written } = lease.state();
  if (ranges.length === 0) ranges = await patiently(deps, () => sweep.ranges(PARALLEL_RANGES));
  const reached = [...ranges];
  const save = async (nth: number, to: number, step: Step): Promise<void> => {
    reached[nth] = { after: step.seq, to };
    [seen, written] = [seen + step.seen, written + step.written];
    await lease.save({ ranges: [...reached], seen, written });
  };
  const ending = new AbortController();
  const each = { ...deps, signal: AbortSignal.any([deps.signal, ending.signal]) };
  const errors: unknown[] = [];
  const filled = ranges.map(async (range, nth) => {
    try {
      await fillRange(each, range, (step) => save(nth, range.to, step));
    } catch (error) {
      errors.push(error);
      ending.abort();
    }
  });
  await Promise.all(filled);
  if (errors.length > 0) throw errors[0];
}

async function fillRange(deps: Running, { after, to }: Range, save: (step: Step) => Promise<void>): Promise<void> {
  const { indexes, documents, sweep } = deps;
  const write: Documents['write'] = (videos) => documents.writeTo(indexes.filling, videos);
  for (let from = after; ;) {
    const step = await patiently(deps, () => sweep.step(indexes.filling, { after: from, to }, write));
    await save(step);
    if (step.last) return;
    from = step.seq;
  }
}

/** What may pass is waited for: the lease stays with this replica. */
async function patiently<T>({ signal, log }: Running, work: () => Promise<T>): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    if (signal.aborted) throw new AppError('CANCELLED', 'the process ends; another continues');
    try {
      return await work();
    } catch (error) {
      if (isFinal(error) || isTakenOver(error)) throw error;
      log.warn({ reason: messageOf(error), pause_ms: pauseMs }, 'reindex waits');
      await pause(pauseMs, signal);
    }
  }
}

/** @throws AppError FAILED_PRECONDITION if the new index would hide most of the served videos */
async function checkSize({ lease, indexes, documents }: Running): Promise<void> {
  const { to_index: to, force = false } = lease.state();
  const served = await indexes.behind(indexes.serving);
  if (force || served === undefined) return;
  const [found, before] = await Promise.all([documents.countLive(to), documents.countLive(served)]);
  if (isSuspiciouslySmall(found, before))
    throw new AppError(
      'FAILED_PRECONDITION',
      `the new index has ${found} live videos and the served one ${before}: it is not served; check catalog's list, then reindex with --force if that is right`,
    );
}

async function finish({ lease, indexes, sweep, signal, log }: Running): Promise<void> {
  await sweep.run(indexes.serving, signal); // changes between the last page of the list and the change of the alias
  await lease.end({ state: 'done', finished_at: new Date().toISOString() });
  const { to_index: index, written } = lease.state();
  log.info({ index, written }, 'reindex finished: new index served');
}

/** The served index stays. */
async function failReindex({ lease, indexes, log }: Running, error: AppError): Promise<void> {
  log.error({ err: error }, 'reindex failed');
  const begun = await indexes.behind(indexes.filling);
  if (begun !== undefined) await indexes.drop(begun);
  await lease.end({ state: 'failed', error: error.message, finished_at: new Date().toISOString() });
}

function newState(from: string, { actor, reason, force = false }: ReindexRequest): ReindexState {
  return {
    state: 'running',
    from_index: from,
    to_index: '',
    written: 0,
    seen: 0,
    ranges: [],
    started_at: new Date().toISOString(),
    actor,
    reason,
    force,
  };
}
