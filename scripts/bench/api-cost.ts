/** Breaks the cost of a request down: CPU seconds of every process involved, from /proc. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { runningPid } from '@vds/testkit/servers/detached';

/** CPU seconds by part. */
export type CpuSeconds = Readonly<Record<string, number>>;

/** The kernel's clock ticks a second: 100 on every Linux that Node runs on. */
const TICKS = 100;

type Backend = { readonly pid: number; readonly database: string | null };

/**
 * Creates a reader of the CPU seconds so far. Postgres is split by database: the stack's own two, and processes that
 * serve all of its databases (WAL and background writers); the latter and NATS also serve other stacks, if there are
 * any.
 * @param others more processes, by the name of their part
 */
export function costReader(stack: Stack, others: Readonly<Record<string, number>> = {}) {
  const [catalog, auth] = [stack.adminPool('catalog'), stack.adminPool('auth')];
  const authDatabase = auth.options.database ?? '';
  const nats = runningPid(stack.servers.nats.dir, 'nats') ?? 0;
  return async (): Promise<CpuSeconds> => {
    const sums = { ...Object.fromEntries(stack.processes.map(({ service }) => [service, 0])) } as Record<
      string,
      number
    >;
    const add = (part: string, seconds: number): void => void (sums[part] = (sums[part] ?? 0) + seconds);
    for (const { service, pid } of stack.processes) add(service, statOf(pid() ?? 0).seconds);
    for (const { pid, database } of await backends(catalog)) {
      if (database === 'catalog') add('Postgres: catalog', statOf(pid).seconds);
      else if (database === authDatabase) add('Postgres: auth', statOf(pid).seconds);
      else if (database === null) add('Postgres: all writers', statOf(pid).seconds);
    }
    add('NATS (all stacks)', statOf(nats).seconds);
    for (const [part, pid] of Object.entries(others)) add(part, statOf(pid).seconds);
    return sums;
  };
}

/** Processor seconds of a process so far, without those of its children. */
export function secondsOf(pid: number): number {
  return statOf(pid).seconds;
}

/**
 * Fields of /proc/<pid>/stat after the command: the parent is the second, user and system time are the twelfth and
 * thirteenth.
 */
function statOf(pid: number): { parent: number; seconds: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS };
  } catch {
    return { parent: 0, seconds: 0 }; // it has ended
  }
}

async function backends(pool: pg.Pool): Promise<Backend[]> {
  const { rows } = await pool.query<Backend>(
    `SELECT pid, replace(datname, current_database(), 'catalog') AS database FROM pg_stat_activity WHERE pid <> pg_backend_pid()`,
  );
  return rows;
}

/** The cost between two readings, per request (`requests` of them), in milliseconds. */
export function perRequest(before: CpuSeconds, after: CpuSeconds, requests: number): CpuSeconds {
  return Object.fromEntries(
    Object.entries(after).map(([part, seconds]) => [
      part,
      (Math.max(0, seconds - (before[part] ?? 0)) * 1_000) / Math.max(1, requests),
    ]),
  );
}

/** A table with a row per part and a column per run; the last row is the sum. */
export function costTable(title: string, columns: Readonly<Record<string, CpuSeconds>>): string {
  const names = Object.keys(columns);
  const parts = [...new Set(Object.values(columns).flatMap((seconds) => Object.keys(seconds)))];
  const cell = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(3)).padStart(10);
  const rows = parts.map((part) => part.padEnd(22) + names.map((name) => cell(columns[name]?.[part])).join(''));
  return [
    title.padEnd(22) + names.map((name) => name.padStart(10)).join(''),
    ...rows,
    'sum'.padEnd(22) + names.map((name) => cell(sumOf(columns[name]))).join(''),
  ].join('\n');
}

/** Of all parts. */
export function sumOf(seconds: CpuSeconds | undefined): number {
  return Object.values(seconds ?? {}).reduce((all, one) => all + one, 0);
}
