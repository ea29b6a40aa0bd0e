/**
 * Keeps the promise that keys which authenticate nothing cost the database a few statements a second, however many they
 * are, and that the time of a refusal tells nothing about their ids. A refusal takes a token, whether its id exists or
 * not; while none is left, ids that were not seen yet are asked for in batches. Partners' keys pass by.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@vds/chassis/errors';
import type { Executor } from '@vds/chassis/database/database';
import { LRUCache } from 'lru-cache';

type Waiting = { readonly resolve: (exists: boolean) => void; readonly reject: (error: unknown) => void };

/** A few tens of bytes each. */
const MAX_KNOWN = 100_000;
/** Refusals that nothing delays, until as many have come at once; then one token at a time returns. */
const MAX_TOKENS = 8;
const TOKEN_EVERY_MS = 200;
const MAX_BATCH = 5_000;
const MAX_WAITING = 20_000;

/** Reads the ids of all keys, revoked ones too: after a restart, partners' first requests are not taken for strangers'. */
export async function openKeyIds(db: Executor) {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  const newest = 'SELECT id FROM api_keys ORDER BY created_at DESC LIMIT $1';
  for (const { id } of (await db.query<{ id: string }>(newest, [MAX_KNOWN])).rows) known.set(id, true);
  const tokens = openTokens();
  const batches = openBatches(db, tokens);
  /** A batch has the tokens to itself: whoever comes while ids wait joins them. */
  const takeToken = (): boolean => !batches.isRunning() && tokens.take();

  return {
    /**
     * Asks the database about a key, unless a flood is on and there is no such id.
     * @param ask null: the key authenticates nothing
     * @throws UNAVAILABLE when too many wait
     */
    decide: async <T>(id: string, ask: () => Promise<T | null>): Promise<T | null> => {
      if (known.get(id)) {
        const decision = await ask();
        // Waits as one whose id does not exist.
        if (decision === null && !takeToken()) await batches.exists(id);
        return decision;
      }
      if (!takeToken()) {
        if (!(await batches.exists(id))) return null;
        known.set(id, true);
        return ask();
      }
      let isRefused = false;
      try {
        const decision = await ask();
        isRefused = decision === null;
        if (!isRefused) known.set(id, true);
        return decision;
      } finally {
        if (!isRefused) tokens.giveBack();
      }
    },
  };
}

/** Asks whether ids exist: one statement for all that wait, one token a statement. */
function openBatches(db: Executor, tokens: ReturnType<typeof openTokens>) {
  const waiting = new Map<string, Waiting[]>();
  let isRunning = false;

  const askBatch = async (): Promise<void> => {
    const batch = [...waiting].slice(0, MAX_BATCH);
    for (const [id] of batch) waiting.delete(id);
    const text = 'SELECT id FROM api_keys WHERE id = ANY($1)';
    try {
      const ids = batch.map(([id]) => id);
      const { rows } = await db.query<{ id: string }>({ name: 'auth-key-ids', text, values: [ids] });
      const existing = new Set(rows.map(({ id }) => id));
      for (const [id, askers] of batch) for (const { resolve } of askers) resolve(existing.has(id));
    } catch (error) {
      for (const [, askers] of batch) for (const { reject } of askers) reject(error);
    }
  };
  const askAll = async (): Promise<void> => {
    isRunning = true;
    while (waiting.size > 0)
      if (tokens.take()) await askBatch();
      else await sleep(tokens.waitMs(), undefined, { ref: false });
    isRunning = false;
  };

  return {
    isRunning: () => isRunning,
    exists: (id: string): Promise<boolean> => {
      const askers = waiting.get(id);
      if (!askers && waiting.size >= MAX_WAITING)
        throw new AppError('UNAVAILABLE', 'too many unknown keys are waiting');
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      if (askers) askers.push({ resolve, reject });
      else waiting.set(id, [{ resolve, reject }]);
      if (!isRunning) void askAll();
      return promise;
    },
  };
}

/** A token bucket. */
function openTokens() {
  let left = MAX_TOKENS;
  let at = performance.now();
  const refill = (): number => {
    const now = performance.now();
    left = Math.min(MAX_TOKENS, left + (now - at) / TOKEN_EVERY_MS);
    at = now;
    return left;
  };
  return {
    take: (): boolean => {
      if (refill() < 1) return false;
      left -= 1;
      return true;
    },
    giveBack: (): void => void (left = Math.min(MAX_TOKENS, left + 1)),
    /** Until the next token. */
    waitMs: (): number => Math.ceil((1 - refill()) * TOKEN_EVERY_MS),
  };
}
