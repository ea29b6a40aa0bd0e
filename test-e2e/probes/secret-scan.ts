/** Everything that a stack stores or prints, as text to search for a secret. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf } from '@vds/deploy-tools/services';
import type { Stack } from '@vds/testkit/stack/start-stack';

/** The name of a place and its content. */
export type Places = Readonly<Record<string, string>>;

/**
 * The encodings in which a secret may appear: its halves, so that a part of it counts too, and its bytes in hex and
 * base64.
 */
export function encodingsOf(key: string): readonly string[] {
  const secret = key.slice(-32);
  return [
    secret.slice(0, 16),
    secret.slice(16),
    Buffer.from(secret).toString('hex'),
    // The whole key at each of the three base64 alignments, without the ragged ends.
    ...[0, 1, 2].map((shift) =>
      Buffer.from(' '.repeat(shift) + key)
        .toString('base64')
        .slice(44, 84),
    ),
  ];
}

/** `place` for every place that contains one of the encodings. */
export function foundIn(places: Places, encodings: readonly string[]): readonly string[] {
  return Object.entries(places)
    .filter(([, text]) => encodings.some((encoding) => text.includes(encoding)))
    .map(([place]) => place);
}

export function logsOf({ dir }: Stack): Places {
  const logs = join(dir, 'logs');
  return Object.fromEntries(readdirSync(logs).map((file) => [`log ${file}`, readFileSync(join(logs, file), 'latin1')]));
}

/** Every table of every database of the stack, row by row as text, one place per column. */
export async function tablesOf(stack: Stack): Promise<Places> {
  const places: Record<string, string> = {};
  const withDatabase = new Set(stack.processes.map(({ service }) => service).filter((name) => rowOf(name).database));
  for (const service of withDatabase) {
    const pool = stack.adminPool(service);
    const { rows } = await pool.query<{ table: string; column: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS table, format('%I', column_name) AS column
       FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    for (const { table, column } of rows) {
      const { rows: values } = await pool.query<{ value: string | null }>(
        `SELECT string_agg(${column}::text, E'\\n') AS value FROM ${table}`,
      );
      places[`database ${service} ${table} ${column}`] = values[0]?.value ?? '';
    }
    const { rows: queries } = await pool.query<{ query: string }>('SELECT query FROM pg_stat_activity');
    places[`statements of ${service}`] = queries.map(({ query }) => query).join('\n');
  }
  return places;
}

export async function metricsOf(stack: Stack): Promise<Places> {
  return Object.fromEntries(
    await Promise.all(
      stack.processes.map(async ({ name, adminUrl }) => {
        const response = await fetch(`${adminUrl}/metrics`);
        return [`metrics ${name}`, await response.text()] as const;
      }),
    ),
  );
}

/** Arguments and environment of every process and its children; empty if the system has no /proc. */
export function processesOf(stack: Stack): Places {
  const places: Record<string, string> = {};
  for (const { name, pid } of stack.processes)
    for (const id of childrenOf(pid() ?? 0))
      for (const file of ['cmdline', 'environ'].filter((one) => existsSync(`/proc/${id}/${one}`)))
        places[`process ${name} ${id} ${file}`] = readFileSync(`/proc/${id}/${file}`, 'latin1');
  return places;
}

function childrenOf(pid: number): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = pairs.flatMap(([child = 0, parent = 0]) => (parent === pid ? [child] : []));
  return [pid, ...children.flatMap(childrenOf)];
}
