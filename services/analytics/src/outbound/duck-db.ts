/**
 * DuckDB in this process, over local files: it merges files and answers queries. What it may use of memory, processors
 * and disk is bounded, and a query sees the files of one organization and nothing else.
 */
import { DuckDBInstance, listValue, StatementType, type DuckDBConnection } from '@duckdb/node-api';
import { AppError, messageOf } from '@vds/chassis/errors';
import { columns } from '../domain/event-row.ts';
import { viewsFor } from '../domain/warehouse/views.ts';

export type DuckDbOptions = { readonly memoryBytes: number; readonly scratch: string };
export type QueryResult = {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Whether more rows were left out. */
  readonly isCut: boolean;
};

const MAX_ROWS = 10_000;
const TIMEOUT_MS = 60_000;

/** Merges files of the same columns into one, in the order of time, so that readers skip what they do not need. */
export async function mergeFiles(options: DuckDbOptions, paths: readonly string[], target: string): Promise<void> {
  await withDuckDb(options, async (connection) => {
    const names = Object.keys(columns).join(', ');
    await connection.run(
      `COPY (SELECT ${names} FROM read_parquet([${list(paths)}], union_by_name = true) ORDER BY occurred_at)
       TO '${quoted(target)}' (FORMAT parquet, COMPRESSION zstd)`,
    );
  });
}

/** What is changed in a file: which rows, and what is stored instead of all; $1 is the list of values. */
export type Rewrite = { readonly rows: string; readonly instead: string };
export const rewrites = {
  withoutViewers: {
    rows: 'list_contains($1, viewer_id)',
    instead: 'SELECT * FROM file WHERE coalesce(NOT list_contains($1, viewer_id), true)',
  },
  withoutTitles: {
    rows: 'list_contains($1, video_id) AND video_title IS NOT NULL',
    instead:
      'SELECT * REPLACE (CASE WHEN list_contains($1, video_id) THEN NULL ELSE video_title END AS video_title) FROM file',
  },
} as const satisfies Readonly<Record<string, Rewrite>>;

/** Writes `target` if any row is changed. Returns how many. */
export async function rewriteFile(
  options: DuckDbOptions,
  { path, target }: { readonly path: string; readonly target: string },
  { rows, instead }: Rewrite,
  values: readonly string[],
): Promise<number> {
  return withDuckDb(options, async (connection) => {
    await connection.run(`CREATE VIEW file AS SELECT * FROM read_parquet('${quoted(path)}')`);
    const listed = [listValue(values)];
    const counted = await connection.runAndReadAll(`SELECT count(*) AS n FROM file WHERE ${rows}`, listed);
    const found = Number(counted.getRowObjectsJson()[0]?.['n'] ?? 0);
    if (found > 0)
      await connection.run(`COPY (${instead}) TO '${quoted(target)}' (FORMAT parquet, COMPRESSION zstd)`, listed);
    return found;
  });
}

/**
 * Answers one SELECT over the views of these files.
 * @throws AppError INVALID_ARGUMENT for anything but one SELECT, or one that fails; DEADLINE_EXCEEDED
 */
export async function queryFiles(options: DuckDbOptions, paths: readonly string[], sql: string): Promise<QueryResult> {
  return withDuckDb(options, async (connection) => {
    await openViews(connection, paths);
    // From here on the text of a stranger runs: no file but these, no network, no other setting.
    for (const statement of [
      `SET allowed_paths = [${list(paths)}]`,
      'SET enable_external_access = false',
      'SET lock_configuration = true',
    ])
      await connection.run(statement);
    const timer = setTimeout(() => connection.interrupt(), TIMEOUT_MS);
    const began = performance.now();
    try {
      const extracted = await connection.extractStatements(sql);
      if (extracted.count !== 1) throw new AppError('INVALID_ARGUMENT', 'give exactly one statement');
      const prepared = await extracted.prepare(0);
      if (prepared.statementType !== StatementType.SELECT)
        throw new AppError('INVALID_ARGUMENT', 'only SELECT is allowed');
      const reader = await prepared.streamAndReadUntil(MAX_ROWS + 1);
      const rows = reader.getRowObjectsJson();
      return { columns: reader.columnNames(), rows: rows.slice(0, MAX_ROWS), isCut: rows.length > MAX_ROWS };
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (performance.now() - began >= TIMEOUT_MS)
        throw new AppError('DEADLINE_EXCEEDED', `the query took longer than ${TIMEOUT_MS / 1_000} s`);
      throw new AppError('INVALID_ARGUMENT', messageOf(error));
    } finally {
      clearTimeout(timer);
    }
  });
}

/** `stored_events` and the views of the warehouse. */
async function openViews(connection: DuckDBConnection, paths: readonly string[]): Promise<void> {
  const names = Object.entries(columns);
  const sqlTypes = { text: 'VARCHAR', time: 'TIMESTAMP', count: 'BIGINT', flag: 'BOOLEAN' };
  const empty = `SELECT ${names.map(([name, type]) => `CAST(NULL AS ${sqlTypes[type]}) AS ${name}`).join(', ')} WHERE false`;
  const rows = `SELECT ${names.map(([name]) => name).join(', ')} FROM read_parquet([${list(paths)}], union_by_name = true, hive_partitioning = false)`;
  await connection.run(`CREATE VIEW stored_events AS ${paths.length > 0 ? rows : empty}`);
  for (const view of viewsFor('duckdb')) await connection.run(view);
}

async function withDuckDb<T>(
  { memoryBytes, scratch }: DuckDbOptions,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${Math.floor(memoryBytes / 1024)}KiB`,
    threads: '1',
    temp_directory: scratch,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `'${quoted(path)}'`).join(', ');
}

function quoted(text: string): string {
  return text.replaceAll("'", "''");
}
