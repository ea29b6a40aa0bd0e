/** Decisions of the limiter a second: the statement itself through pg, and the Authorize RPC, on one key and over many. */
import pg from 'pg';
import { auth } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { parseApiKey } from '@vds/auth/domain/api-key';
import { candidateHashes, type Peppers } from '@vds/auth/outbound/key-hash';
import { decide } from '@vds/auth/outbound/minute-window';
import type { Stack } from '@vds/testkit/stack/start-stack';

/** The target is for decisions over many keys through the RPC: what the gateway calls, including everything. */
export const MIN_DECISIONS = 2_000;

const AT_ONCE = 32;
const SECONDS = 5;
const WINDOW_MS = 60_000;

/**
 * Measures and prints; the keys have a limit of 10,000 a minute, so that a single one reaches a window of that length.
 * @param freshKeys issues this many keys
 * @returns false if the target is missed
 */
export async function benchLimiter(
  stack: Stack,
  peppers: Peppers,
  freshKeys: (count: number) => Promise<string[]>,
): Promise<boolean> {
  const print = (what: string, perSecond: number): void =>
    void process.stdout.write(`${what.padEnd(58)} ${perSecond.toFixed(0)} decisions a second\n`);
  const many = await freshKeys(200);
  const overMany = await throughRpc(stack, many);
  print(`limiter, Authorize RPC, 200 keys (at least ${MIN_DECISIONS})`, overMany);
  print('limiter, statement through pg, 200 keys', await throughStatement(stack, peppers, many));
  const [one = ''] = await freshKeys(1);
  print('limiter, Authorize RPC, one key, from an empty window', await throughRpc(stack, [one]));
  print('limiter, Authorize RPC, the same key, as its window fills', await throughRpc(stack, [one]));
  print('limiter, statement through pg, the same key', await throughStatement(stack, peppers, [one]));
  return overMany >= MIN_DECISIONS;
}

async function throughRpc(stack: Stack, keys: readonly string[]): Promise<number> {
  const config = {
    rpcToken: stack.tokens.gateway,
    tlsCertFile: undefined,
    tlsKeyFile: undefined,
    tlsCaFile: undefined,
  };
  const client = rpcClient(auth.AuthService, { target: stack.rpc('auth'), config });
  try {
    return await rate((n) => client.Authorize({ key: keys[n % keys.length] ?? '' }));
  } finally {
    await client.close();
  }
}

/** Calls `AT_ONCE` at a time for `SECONDS` seconds; returns the replies per second. */
async function rate(decideOne: (n: number) => Promise<unknown>): Promise<number> {
  const from = performance.now();
  let done = 0;
  let next = 0;
  const asker = async (): Promise<void> => {
    while (performance.now() - from < SECONDS * 1_000) {
      await decideOne(next++);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return done / ((performance.now() - from) / 1_000);
}

async function throughStatement(stack: Stack, peppers: Peppers, keys: readonly string[]): Promise<number> {
  const { url, password } = stack.login('auth');
  const target = new URL(url);
  target.password = password;
  const pool = new pg.Pool({ connectionString: target.href, max: 10 });
  const asked = keys.flatMap((text) => {
    const key = parseApiKey(text);
    return key === null ? [] : [{ id: key.id, hashes: candidateHashes(peppers, key) }];
  });
  try {
    return await rate(async (n) => {
      const key = asked[n % asked.length];
      if (key && !(await decide(pool, key.id, key.hashes, WINDOW_MS))) throw new Error('the key is unknown');
    });
  } finally {
    await pool.end();
  }
}
