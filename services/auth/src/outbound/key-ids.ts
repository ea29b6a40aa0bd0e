/**
 * Keeps the promise that strangers' well-formed keys cost the database a few statements a second, however many they are:
 * whether unknown ids exist is asked in batches, and an answer is kept. Partners' keys pass by once they were seen.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@vds/chassis/errors';
import type { Executor } from '@vds/chassis/database/database';
import { LRUCache } from 'lru-cache';

type Waiting = { readonly resolve: (exists: boolean) => void; readonly reject: (error: unknown) => void };

/** A few tens of bytes each. */
const MAX_KNOWN = 100_000;
const MAX_ABSENT = 10_000;
/** An id that does not exist can only come to exist by being issued, from 143 random bits: nobody has asked for it before. */
const ABSENT_MS = 5_000;
/** Between the starts of two statements. */
const BATCH_EVERY_MS = 200;
const MAX_BATCH = 5_000;
const MAX_WAITING = 20_000;

export function openKeyIds(db: Executor) {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  const absent = new LRUCache<string, true>({ max: MAX_ABSENT, ttl: ABSENT_MS });
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
      for (const [id, askers] of batch) {
        (existing.has(id) ? known : absent).set(id, true);
        for (const { resolve } of askers) resolve(existing.has(id));
      }
    } catch (error) {
      for (const [, askers] of batch) for (const { reject } of askers) reject(error);
    }
  };
  const askAll = async (): Promise<void> => {
    isRunning = true;
    // What arrives in the pause goes into one statement; the first one after a quiet time is asked at once.
    for (; waiting.size > 0; await sleep(BATCH_EVERY_MS, undefined, { ref: false })) await askBatch();
    isRunning = false;
  };

  return {
    /**
     * Whether there is a key with the id, revoked or not.
     * @throws UNAVAILABLE when too many ask
     */
    exists: async (id: string): Promise<boolean> => {
      if (known.get(id)) return true;
      if (absent.get(id)) return false;
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
