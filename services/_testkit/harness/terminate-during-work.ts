/** Stops a process by SIGTERM while it runs jobs, and returns what became of both. */
import type { ChildProcess } from 'node:child_process';
import type pg from 'pg';
import { until } from '../until.ts';

export type Ended = {
  readonly code: number | null;
  readonly ms: number;
  /** Each job that ran: its row after the process has exited. */
  readonly jobs: readonly { readonly state: string; readonly tries: number; readonly leased: boolean }[];
};

/** A released job: ready at once, without a counted attempt. */
export const released = { state: 'ready', tries: 0, leased: false } as const;

/** Sends a second SIGTERM after the first, which must change nothing. Only this process may work on the video. */
export async function terminateDuringWork(pool: pg.Pool, videoId: string, child: ChildProcess): Promise<Ended> {
  const ids = await until(
    async () => {
      const found = await runningIn(pool, videoId);
      return found.length > 0 && found;
    },
    { what: 'a job of the video runs' },
  );
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const from = performance.now();
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGTERM'), 20);
  const code = await exit;
  const ms = performance.now() - from;
  const { rows } = await pool.query<Ended['jobs'][number]>(
    'SELECT state, tries, lease_until IS NOT NULL AS leased FROM chassis.jobs WHERE id = ANY($1) ORDER BY id',
    [ids],
  );
  return { code, ms, jobs: rows };
}

/** Jobs of the video that any process runs. */
export async function runningIn(pool: pg.Pool, videoId: string): Promise<number[]> {
  const running = "SELECT id FROM chassis.jobs WHERE video_id = $1 AND state = 'running'";
  return (await pool.query<{ id: string }>(running, [videoId])).rows.map(({ id }) => Number(id));
}
