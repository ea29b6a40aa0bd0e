/** Locks for periodic tasks that one replica runs at a time, and for work that one replica does for as long as it lives. */
import { pause } from '../async.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Pool } from './database.ts';

/**
 * Runs a task, unless another replica has taken its lock less than `gapMs` ago. A failed run releases the lock, so that
 * its retry is not mistaken for the run of another replica.
 * @throws what the task throws
 */
export async function runExclusively(pool: Pool, name: string, gapMs: number, run: () => Promise<void>): Promise<void> {
  if (!(await tryAcquire(pool, name, gapMs))) return;
  try {
    await run();
  } catch (error) {
    // Without its database the task is postponed until the lock expires.
    await pool.query('DELETE FROM chassis.leader_locks WHERE name = $1', [name]).catch(() => undefined);
    throw error;
  }
}

/**
 * Takes the lock. An acquisition time in the future was written before a clock was set back.
 * @param gapMs how long the lock stays taken, in milliseconds
 * @returns false when another replica took it less than `gapMs` ago
 */
export async function tryAcquire(pool: Pool, name: string, gapMs: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'chassis-try-acquire',
    text: `INSERT INTO chassis.leader_locks AS held (name, acquired_at) VALUES ($1, clock_timestamp())
      ON CONFLICT (name) DO UPDATE SET acquired_at = clock_timestamp()
      WHERE held.acquired_at <= clock_timestamp() - $2::float8 * interval '1 ms' OR held.acquired_at > clock_timestamp()`,
    values: [name, gapMs],
  });
  return rowCount === 1;
}

type Leadership = {
  readonly pool: Pool;
  readonly name: string;
  /** How long the lock outlives its holder, in milliseconds. */
  readonly leaseMs: number;
  readonly log: Logger;
};

/**
 * Does the work while this process holds the lock, which it renews three times in its time; again and again until
 * `stopping` aborts, also after the work has failed. The work ends with its signal: another replica may have the lock then.
 */
export async function workAsLeader(
  { pool, name, leaseMs, log }: Leadership,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!stopping.aborted) {
    const held = await acquire(pool, name, leaseMs).catch(() => undefined); // its database is unavailable: later
    if (held !== undefined) {
      const ended = new AbortController();
      const signal = AbortSignal.any([stopping, ended.signal]);
      const renewed = renewUntilLost({ pool, name, leaseMs }, held, signal).finally(() => ended.abort());
      try {
        await work(signal);
      } catch (error) {
        log.error({ lock: name, reason: messageOf(error) }, 'work under a lock failed, it is taken up again');
      }
      ended.abort();
      const last = await renewed;
      await pool
        .query('DELETE FROM chassis.leader_locks WHERE name = $1 AND acquired_at = $2', [name, last])
        .catch(() => undefined); // else it expires
    }
    await pause(leaseMs / 3, stopping);
  }
}

/** The time of acquisition identifies the holder. */
async function acquire(pool: Pool, name: string, leaseMs: number): Promise<string | undefined> {
  if (!(await tryAcquire(pool, name, leaseMs))) return undefined;
  const text = 'SELECT acquired_at::text AS at FROM chassis.leader_locks WHERE name = $1';
  const { rows } = await pool.query<{ at: string }>(text, [name]);
  return rows[0]?.at;
}

async function renewUntilLost(
  { pool, name, leaseMs }: Omit<Leadership, 'log'>,
  acquiredAt: string,
  signal: AbortSignal,
): Promise<string> {
  let held = acquiredAt;
  let heldAt = performance.now();
  while (!signal.aborted && performance.now() - heldAt < (2 * leaseMs) / 3) {
    await pause(leaseMs / 3, signal);
    if (signal.aborted) break;
    const text = `UPDATE chassis.leader_locks SET acquired_at = clock_timestamp() WHERE name = $1 AND acquired_at = $2
      RETURNING acquired_at::text AS at`;
    // Without its database it holds the lock until its time is over.
    const renewed = await pool.query<{ at: string }>(text, [name, held]).catch(() => undefined);
    if (renewed?.rowCount === 0) break; // another replica has it
    if (renewed?.rows[0]) [held, heldAt] = [renewed.rows[0].at, performance.now()];
  }
  return held;
}
