/** A steady, bounded load of partners and viewers: every request counts, also where its second attempt succeeds. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Failure = { readonly at: Date; readonly what: string; readonly how: string; readonly afterMs: number };
export type Tally = {
  readonly sent: number;
  readonly failures: readonly Failure[];
  /** How many of the failed requests failed a second time, or must not be repeated. */
  readonly lost: number;
  readonly slowestMs: number;
};

/** One kind of request; every response but `expected` is a failure. */
export type RequestKind = {
  readonly what: string;
  readonly expected: number;
  readonly send: () => Promise<number>;
  /** May be sent a second time, as clients do after a failure. */
  readonly repeatable?: true;
};

/** With this many pending requests no more are sent: the load is bounded, and a stall shows as fewer sent. */
const MAX_OPEN = 200;

export type Load = {
  /** The counts since the last call. */
  readonly tally: () => Tally;
  readonly end: () => Promise<Tally>;
};

type FetchError = Error & { readonly cause?: { readonly code?: string; readonly message?: string } };

/** Merges two loads into one. */
export function merge(one: Tally, other: Tally): Tally {
  return {
    sent: one.sent + other.sent,
    failures: [...one.failures, ...other.failures],
    lost: one.lost + other.lost,
    slowestMs: Math.max(one.slowestMs, other.slowestMs),
  };
}

/**
 * Sends requests at a steady pace, cycling through the kinds.
 * @param perSecond over all kinds
 */
export function beginLoad(perSecond: number, kinds: readonly RequestKind[]): Load {
  const open = new Set<Promise<void>>();
  let now = fresh();
  let ended = false;
  const one = async (kind: RequestKind): Promise<void> => {
    const failure = await attempt(kind);
    if (failure === undefined) return;
    now.failures.push(failure);
    if (kind.repeatable === undefined || (await attempt(kind)) !== undefined) now.lost += 1;
  };
  const attempt = async ({ what, expected, send }: RequestKind): Promise<Failure | undefined> => {
    const from = performance.now();
    const failed = (how: string): Failure => {
      return { at: new Date(), what, how, afterMs: Math.round(performance.now() - from) };
    };
    try {
      const status = await send();
      return status === expected ? undefined : failed(String(status));
    } catch (error) {
      const { cause, message } = error as FetchError;
      return failed(`${message}: ${cause?.code ?? cause?.message ?? ''}`);
    } finally {
      now.slowestMs = Math.max(now.slowestMs, performance.now() - from);
    }
  };
  const running = (async () => {
    const from = performance.now();
    for (let count = 0; !ended; count++) {
      await sleep(Math.max(0, from + (count * 1_000) / perSecond - performance.now()));
      const kind = kinds[count % kinds.length];
      if (kind === undefined || open.size >= MAX_OPEN) continue;
      now.sent += 1;
      const pending = one(kind).finally(() => open.delete(pending));
      open.add(pending);
    }
  })();
  const tally = (): Tally => {
    const finished = now;
    now = fresh();
    return finished;
  };
  return {
    tally,
    end: async () => {
      ended = true;
      await running;
      await Promise.all(open);
      return tally();
    },
  };
}

function fresh() {
  return { sent: 0, failures: [] as Failure[], lost: 0, slowestMs: 0 };
}
