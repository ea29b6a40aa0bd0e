/** Two pools, as two replicas have them, on one auth database, and keys to authorize. */
import { createSecretKey, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { parseApiKey, type ApiKey } from '../src/domain/api-key.ts';
import { issueKey, setLimits } from '../src/outbound/api-keys.ts';
import { commitChange } from '../src/outbound/audit.ts';
import { candidateHashes, type Peppers } from '../src/outbound/key-hash.ts';
import { decide, type Decision } from '../src/outbound/minute-window.ts';
import { openPrisma } from '../src/outbound/prisma.ts';
import { createPublisher } from '../src/outbound/publishers.ts';
import { authDatabase, poolOf } from './fixtures.ts';

export const peppers: Peppers = [{ id: 'one', key: createSecretKey(randomBytes(32)) }];
const BY = { actor: 'tests', reason: 'a key for a test' };
export type Replicas = Awaited<ReturnType<typeof openReplicas>>;

/** Opens everything; `close` removes it. */
export async function openReplicas() {
  const database = await authDatabase();
  const open = (): pg.Pool => poolOf(database, 8);
  const pools = [open(), open()] as const;
  const prisma = openPrisma(pools[0]);
  const store = { pool: pools[0], prisma, peppers };
  return {
    pools,
    store,
    /** A new key with this limit. */
    newKey: async (minuteLimit: number): Promise<ApiKey> => {
      const { id } = (
        await commitChange(pools[0], BY, createPublisher([Buffer.alloc(32, 1)], { name: 'n', organization: 'o' }))
      ).value;
      const { secretKey } = (await commitChange(pools[0], BY, issueKey(peppers, id, ['videos:read'], { minuteLimit })))
        .value;
      return must(parseApiKey(secretKey), 'the form of a new key');
    },
    /** Sets the minute limit of a key. */
    setMinuteLimit: async (key: ApiKey, minuteLimit: number): Promise<void> => {
      await commitChange(pools[0], BY, setLimits(key.id, { minuteLimit }));
    },
    /** Authorizes one request of a valid key. */
    request: async (key: ApiKey, windowMs: number, pool = pools[0], requestId?: string): Promise<Decision> => {
      const decision = await decide(pool, key.id, candidateHashes(peppers, key), windowMs, requestId);
      return must(decision, 'a decision about a valid key');
    },
    /** The stored window of a key, its times in microseconds; undefined if there is none. */
    storedWindow: async (key: ApiKey): Promise<{ request_times: string[]; decided_at: string } | undefined> => {
      const { rows } = await pools[0].query(
        `select array(select (extract(epoch from p) * 1000000)::bigint from unnest(request_times) p) request_times,
          (extract(epoch from decided_at) * 1000000)::bigint decided_at from minute_windows where key_id = $1`,
        [key.id],
      );
      return rows[0];
    },
    close: async (): Promise<void> => {
      await prisma.close();
      await Promise.all(pools.map((pool) => pool.end()));
      await database.drop();
    },
  };
}

function must<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`there is no ${what}`);
  return value;
}
