/**
 * Fills a new index of the present mapping from the truth while both are written, then serves it. Whoever runs it holds
 * a lease; when that runs out another replica goes on from the place that was reached.
 */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { ReindexStateStore, Posted, ReindexState } from './reindex-state.ts';
import type { Documents } from './documents.ts';
import type { Indexes } from './indexes.ts';
import type { Sweep } from './sweep-index.ts';

const leaseMs = 30_000;

type Deps = {
  readonly board: ReindexStateStore;
  readonly indexes: Indexes;
  readonly documents: Documents;
  readonly sweep: Sweep;
  readonly log: Logger;
  readonly signal: AbortSignal;
};
export type Reindex = ReturnType<typeof openReindex>;

export function openReindex(given: Deps) {
  const { board, indexes, log } = given;
  const { post } = openWork(given);
  const go = openRun(given);
  let running: Promise<void> = Promise.resolve();
  const begin = (claimed: Posted): void => void (running = go(claimed));

  return {
    /** The last one, running or not. */
    read: async (): Promise<ReindexState | undefined> => (await board.read())?.state,
    /** Begins one, or answers with the one that runs. */
    start: async (actor: string, reason: string): Promise<ReindexState> => {
      const last = await board.read();
      if (last?.state.state === 'running') return last.state;
      const from = (await indexes.behind(indexes.serving)) ?? '';
      const claimed = await board.post(newState(from, actor, reason), last?.ticket);
      log.info({ actor, reason }, 'a reindex begins');
      begin(claimed);
      return claimed.state;
    },
    /** Goes on with a reindex that nobody runs any more. */
    resume: async (): Promise<void> => {
      const last = await board.read();
      if (last?.state.state !== 'running' || isHeld(last)) return;
      try {
        begin(await post(last, {}));
      } catch (error) {
        if (!lost(error)) throw error; // else another replica was first
      }
    },
    close: (): Promise<void> => running,
  };
}

function openWork({ board, indexes, documents, sweep, log, signal }: Deps) {
  const post = ({ state, ticket }: Posted, more: Partial<ReindexState>): Promise<Posted> =>
    board.post({ ...state, ...more, ...lease() }, ticket);

  /** The index to fill: the one that was begun, unless it is gone. */
  const target = async (posted: Posted): Promise<Posted> => {
    const begun = await indexes.behind(indexes.filling);
    if (begun !== undefined && begun === posted.state.to_index) return posted;
    if (begun !== undefined) await indexes.drop(begun);
    return post(posted, { to_index: await indexes.make(indexes.filling), seq: 0, seen: 0, written: 0 });
  };

  const fill = async (begun: Posted): Promise<Posted> => {
    let posted = begun;
    for (;;) {
      if (signal.aborted) throw new AppError('CANCELLED', 'the process ends; another goes on');
      const { seq, seen, written } = posted.state;
      const done = await sweep.step(indexes.filling, seq, (given) => documents.writeTo(indexes.filling, given));
      posted = await post(posted, { seq: done.seq, seen: seen + done.seen, written: written + done.written });
      if (done.last) return posted;
    }
  };

  const finish = async (posted: Posted): Promise<void> => {
    await sweep.run(indexes.serving, signal); // what changed between the last look at the list and the change of alias
    await post(posted, { state: 'done', finished_at: new Date().toISOString() });
    log.info({ index: posted.state.to_index, written: posted.state.written }, 'a new index is served');
  };

  return {
    post,
    perform: async (claimed: Posted): Promise<void> => {
      const { to_index: to } = claimed.state;
      if (to !== '' && (await indexes.behind(indexes.serving)) === to) return finish(claimed);
      const filled = await fill(await target(claimed));
      await sweep.remember(indexes.filling, filled.state.seq);
      await indexes.serve(filled.state.to_index);
      await finish(filled);
    },
  };
}

function lease(): { lease_until: number } {
  return { lease_until: Date.now() + leaseMs };
}

/** Runs one to its end, and never throws: what cannot be done now is left to whoever finds the lease run out. */
function openRun(given: Deps) {
  const { board, indexes, log } = given;
  const { perform, post } = openWork(given);
  /** OpenSearch does not take what we ask: trying again would not help. The served index stays. */
  const giveUp = async (error: AppError): Promise<void> => {
    log.error({ err: error }, 'the reindex failed');
    const last = await board.read();
    const begun = await indexes.behind(indexes.filling);
    if (begun !== undefined) await indexes.drop(begun);
    const failed = { state: 'failed', error: error.message, finished_at: new Date().toISOString() } as const;
    if (last) await post(last, failed);
  };
  const waits = (error: unknown): void => {
    if (lost(error)) log.info('another replica goes on with the reindex');
    else log.warn({ reason: messageOf(error) }, 'the reindex waits');
  };
  return async (claimed: Posted): Promise<void> => {
    try {
      await perform(claimed);
    } catch (error) {
      if (error instanceof AppError && error.code === 'INTERNAL') await giveUp(error).catch(waits);
      else waits(error);
    }
  };
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
    ...lease(),
  };
}

function isHeld({ state }: Posted): boolean {
  return state.state === 'running' && state.lease_until > Date.now();
}

function lost(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ABORTED';
}
