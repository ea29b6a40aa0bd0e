/** Ends a process by SIGTERM while it has work in hand, and says what became of both. */
import type { ChildProcess } from 'node:child_process';
import type pg from 'pg';
import { until } from '../until.ts';

export type Ended = {
  readonly code: number | null;
  readonly ms: number;
  /** Each unit that ran: as it lies in the table once the process is gone. */
  readonly units: readonly { readonly state: string; readonly tries: number; readonly leased: boolean }[];
};

/** What a unit is that was given back: anybody's at once, and no try the worse. */
export const givenBack = { state: 'ready', tries: 0, leased: false } as const;

/** A second SIGTERM follows the first one: it must change nothing. Only this process may work on the group. */
export async function endAtWork(pool: pg.Pool, groupKey: string, child: ChildProcess): Promise<Ended> {
  const ids = await until(
    async () => {
      const found = await runningIn(pool, groupKey);
      return found.length > 0 && found;
    },
    { what: 'a unit of the group runs' },
  );
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const from = performance.now();
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGTERM'), 20);
  const code = await exit;
  const ms = performance.now() - from;
  const { rows } = await pool.query<Ended['units'][number]>(
    'SELECT state, tries, lease_until IS NOT NULL AS leased FROM chassis.work WHERE id = ANY($1) ORDER BY id',
    [ids],
  );
  return { code, ms, units: rows };
}

/** Rows of the group that some process runs. */
export async function runningIn(pool: pg.Pool, groupKey: string): Promise<number[]> {
  const running = "SELECT id FROM chassis.work WHERE group_key = $1 AND state = 'running'";
  return (await pool.query<{ id: string }>(running, [groupKey])).rows.map(({ id }) => Number(id));
}
