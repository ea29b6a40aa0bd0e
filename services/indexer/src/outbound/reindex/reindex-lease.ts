/**
 * The lease of the replica that runs a reindex. No clocks are compared: every renewal moves the sequence number of the
 * state's document, and a lease has expired when another replica has seen the same number for the length of a lease.
 */
import { AppError, messageOf } from '@vds/chassis/errors';
import { pause } from '@vds/chassis/async';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { ReindexState, ReindexStateStore, Saved } from './reindex-state.ts';

export type HeldLease = {
  /** The state as this replica last saved it. */
  readonly state: () => ReindexState;
  /** @throws AppError ABORTED when another replica has taken over */
  readonly save: (changes: Partial<ReindexState>) => Promise<void>;
  /** The last save: no renewal follows, which would conflict with the start of another reindex. */
  readonly end: (changes: Partial<ReindexState>) => Promise<void>;
  /** Stops the renewals. */
  readonly release: () => Promise<void>;
};

/** Renews the lease three times in its length, also while a step takes long; writes are made one after the other. */
export function holdLease(
  { store, leaseMs, log }: { readonly store: ReindexStateStore; readonly leaseMs: number; readonly log: Logger },
  claimed: Saved,
): HeldLease {
  const stop = new AbortController();
  let saved = claimed;
  let last: Promise<unknown> = Promise.resolve();
  const save = (changes: Partial<ReindexState>): Promise<void> => {
    const next = last.then(async () => {
      saved = await store.save({ ...saved.state, ...changes }, saved.seqNo);
    });
    last = Promise.allSettled([next]);
    return next;
  };
  const renew = async (): Promise<void> => {
    for (;;) {
      await pause(leaseMs / 3, stop.signal);
      if (stop.signal.aborted) return;
      await save({}).catch((error: unknown) => log.info({ reason: messageOf(error) }, 'reindex lease not renewed'));
    }
  };
  const renewing = renew();
  const release = async (): Promise<void> => {
    stop.abort();
    await renewing;
  };
  return {
    state: () => saved.state,
    save,
    end: async (changes) => {
      await release();
      await save(changes);
    },
    release,
  };
}

/** Whether a running reindex has lost its replica. */
export function watchLease(leaseMs: number) {
  let seen: { readonly seqNo: string; readonly since: number } | undefined;
  /** @param saved the current state; call it repeatedly */
  return (saved: Saved): boolean => {
    const seqNo = JSON.stringify(saved.seqNo);
    if (seen?.seqNo !== seqNo) seen = { seqNo, since: performance.now() };
    return performance.now() - seen.since >= leaseMs;
  };
}

/** Whether another replica has saved since. */
export function isTakenOver(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ABORTED';
}
