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
import type { Sweep } from '../sweep-index.ts';

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
  await sweep.savePosition(indexes.filling, lease.state().seq);
  await indexes.serve(lease.state().to_index);
  await finish(deps);
}

/** The index to fill: the one of the state, unless it is gone. */
async function chooseTarget({ lease, indexes }: Running): Promise<void> {
  const begun = await indexes.behind(indexes.filling);
  if (begun !== undefined && begun === lease.state().to_index) return;
  if (begun !== undefined) await indexes.drop(begun);
  await lease.save({ to_index: await indexes.make(indexes.filling), seq: 0, seen: 0, written: 0 });
}

/** What may pass is waited for: the lease stays with this replica. */
async function fill({ lease, indexes, documents, sweep, signal, log }: Running): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    if (signal.aborted) throw new AppError('CANCELLED', 'the process ends; another continues');
    const { seq, seen, written } = lease.state();
    const write: Documents['write'] = (videos) => documents.writeTo(indexes.filling, videos);
    const step = await sweep.step(indexes.filling, seq, write).catch((error: unknown) => {
      if (isFinal(error) || isTakenOver(error)) throw error;
      log.warn({ reason: messageOf(error), pause_ms: pauseMs }, 'reindex waits');
      return undefined;
    });
    if (step) {
      await lease.save({ seq: step.seq, seen: seen + step.seen, written: written + step.written });
      if (step.last) return;
    } else await pause(pauseMs, signal);
    pauseMs = step ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
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
    seq: 0,
    started_at: new Date().toISOString(),
    actor,
    reason,
    force,
  };
}
