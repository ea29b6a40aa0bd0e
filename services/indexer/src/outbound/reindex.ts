/**
 * Fills a new index of the current mapping from the owners' data while both are written, then serves it. The replica that
 * runs it holds a lease; when that expires, another replica continues from the saved position.
 */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { ReindexState, ReindexStateStore, Saved } from './reindex-state.ts';
import type { Documents } from './documents.ts';
import type { Indexes } from './indexes.ts';
import type { Sweep } from './sweep-index.ts';

const leaseMs = 30_000;

type Deps = {
  readonly store: ReindexStateStore;
  readonly indexes: Indexes;
  readonly documents: Documents;
  readonly sweep: Sweep;
  readonly log: Logger;
  readonly signal: AbortSignal;
};
export type Reindex = ReturnType<typeof openReindex>;

export function openReindex(deps: Deps) {
  const { store, indexes, log } = deps;
  let running: Promise<void> = Promise.resolve();
  const begin = (claimed: Saved): void => void (running = run(deps, claimed));
  return {
    /** The last one, running or not. */
    read: async (): Promise<ReindexState | undefined> => (await store.read())?.state,
    /** Starts one, or returns the one that runs. */
    start: async (actor: string, reason: string): Promise<ReindexState> => {
      const last = await store.read();
      if (last?.state.state === 'running') return last.state;
      const from = (await indexes.behind(indexes.serving)) ?? '';
      const claimed = await store.save(newState(from, actor, reason), last?.seqNo);
      log.info({ actor, reason }, 'reindex started');
      begin(claimed);
      return claimed.state;
    },
    /** Continues a reindex whose lease has expired. */
    resume: async (): Promise<void> => {
      const last = await store.read();
      if (last?.state.state !== 'running' || last.state.lease_until > Date.now()) return;
      try {
        begin(await save(store, last, {}));
      } catch (error) {
        if (!isConflict(error)) throw error; // else another replica was first
      }
    },
    close: (): Promise<void> => running,
  };
}

/** Runs one to its end, and never throws: after an error that may pass, another run continues once the lease has expired. */
async function run(deps: Deps, claimed: Saved): Promise<void> {
  const { log } = deps;
  const interrupted = (error: unknown): void => {
    if (isConflict(error)) log.info('reindex continued by another replica');
    else log.warn({ reason: messageOf(error) }, 'reindex interrupted');
  };
  try {
    await reindex(deps, claimed);
  } catch (error) {
    if (error instanceof AppError && error.code === 'INTERNAL') await giveUp(deps, error).catch(interrupted);
    else interrupted(error);
  }
}

async function reindex(deps: Deps, claimed: Saved): Promise<void> {
  const { indexes, sweep } = deps;
  const { to_index: to } = claimed.state;
  if (to !== '' && (await indexes.behind(indexes.serving)) === to) return finish(deps, claimed);
  const filled = await fill(deps, await target(deps, claimed));
  await sweep.savePosition(indexes.filling, filled.state.seq);
  await indexes.serve(filled.state.to_index);
  await finish(deps, filled);
}

/** OpenSearch rejects a request: another try would not help. The served index stays. */
async function giveUp({ store, indexes, log }: Deps, error: AppError): Promise<void> {
  log.error({ err: error }, 'reindex failed');
  const last = await store.read();
  const begun = await indexes.behind(indexes.filling);
  if (begun !== undefined) await indexes.drop(begun);
  const failed = { state: 'failed', error: error.message, finished_at: new Date().toISOString() } as const;
  if (last) await save(store, last, failed);
}

/** The index to fill: the one of the state, unless it is gone. */
async function target({ store, indexes }: Deps, saved: Saved): Promise<Saved> {
  const begun = await indexes.behind(indexes.filling);
  if (begun !== undefined && begun === saved.state.to_index) return saved;
  if (begun !== undefined) await indexes.drop(begun);
  return save(store, saved, { to_index: await indexes.make(indexes.filling), seq: 0, seen: 0, written: 0 });
}

async function fill({ store, indexes, documents, sweep, signal }: Deps, begun: Saved): Promise<Saved> {
  let saved = begun;
  for (;;) {
    if (signal.aborted) throw new AppError('CANCELLED', 'the process ends; another continues');
    const { seq, seen, written } = saved.state;
    const step = await sweep.step(indexes.filling, seq, (videos) => documents.writeTo(indexes.filling, videos));
    saved = await save(store, saved, { seq: step.seq, seen: seen + step.seen, written: written + step.written });
    if (step.last) return saved;
  }
}

async function finish({ store, indexes, sweep, signal, log }: Deps, saved: Saved): Promise<void> {
  await sweep.run(indexes.serving, signal); // changes between the last page of the list and the change of the alias
  await save(store, saved, { state: 'done', finished_at: new Date().toISOString() });
  log.info({ index: saved.state.to_index, written: saved.state.written }, 'reindex finished: new index served');
}

function save(store: ReindexStateStore, { state, seqNo }: Saved, changes: Partial<ReindexState>): Promise<Saved> {
  return store.save({ ...state, ...changes, lease_until: Date.now() + leaseMs }, seqNo);
}

function newState(from: string, actor: string, reason: string): ReindexState {
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
    lease_until: Date.now() + leaseMs,
  };
}

function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ABORTED';
}
