/**
 * DuckDB in this process, over local files: it merges files and answers queries. What it may use of memory, processors
 * and disk is bounded, and a query sees the files of one organization and nothing else.
 */
import { DuckDBInstance, StatementType, type DuckDBConnection } from '@duckdb/node-api';
import { AppError, messageOf } from '@vds/chassis/errors';
import { columns, videoColumns, type ColumnType } from '../domain/event-row.ts';
import { dialects } from '../domain/warehouse/dialects.ts';
import { allParts, partColumns, playPartsOf } from '../domain/warehouse/plays.ts';
import { viewsFor } from '../domain/warehouse/views.ts';
import type { Computation, Rows } from './computation.ts';

export type DuckDbOptions = { readonly memoryBytes: number; readonly scratch: string };
export type QueryResult = {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Whether more rows were left out. */
  readonly isCut: boolean;
};

const MAX_ROWS = 10_000;
const TIMEOUT_MS = 60_000;
const COMPUTE_MS = 600_000;
/** What DuckDB may write beside its files, in half of the pod's room. */
const TEMPORARY = '2GiB';

/** Merges files of the same columns into one, in the order of time, so that readers skip what they do not need. */
export async function mergeFiles(options: DuckDbOptions, paths: readonly string[], target: string): Promise<void> {
  await withDuckDb(options, async (connection) => {
    await connection.run(
      `COPY (${relationOf(columns, paths)} ORDER BY occurred_at)
       TO '${quoted(target)}' (FORMAT parquet, COMPRESSION zstd)`,
    );
  });
}

/** Writes what is left of events: the parts of their plays, with those of an earlier run that was interrupted. */
export async function writePlays(
  options: DuckDbOptions,
  { events, plays }: Omit<QueriedFiles, 'titles'>,
  target: string,
): Promise<void> {
  await withDuckDb(options, async (connection) => {
    await openRelations(connection, { events, plays, titles: [] });
    await connection.run(
      `COPY (${playPartsOf(dialects.duckdb, allParts())}) TO '${quoted(target)}' (FORMAT parquet, COMPRESSION zstd)`,
    );
  });
}

/** Merges files of what videos are called: of each its latest version. */
export async function mergeTitles(options: DuckDbOptions, paths: readonly string[], target: string): Promise<void> {
  await withDuckDb(options, async (connection) => {
    await connection.run(
      `COPY (SELECT video_id, arg_max(title, version) AS title, max(version) AS version
         FROM read_parquet([${list(paths)}]) GROUP BY video_id ORDER BY video_id)
       TO '${quoted(target)}' (FORMAT parquet, COMPRESSION zstd)`,
    );
  });
}

/** Writes `target` without the rows of a viewer, if there are any. Returns how many there were. */
export async function removeViewer(
  options: DuckDbOptions,
  { path, target }: { readonly path: string; readonly target: string },
  viewerId: string,
): Promise<number> {
  return withDuckDb(options, async (connection) => {
    await connection.run(`CREATE VIEW file AS SELECT * FROM read_parquet('${quoted(path)}')`);
    const counted = await connection.runAndReadAll('SELECT count(*) AS n FROM file WHERE viewer_id = $1', [viewerId]);
    const found = Number(counted.getRowObjectsJson()[0]?.['n'] ?? 0);
    const rest = 'SELECT * FROM file WHERE viewer_id IS DISTINCT FROM $1';
    if (found > 0)
      await connection.run(`COPY (${rest}) TO '${quoted(target)}' (FORMAT parquet, COMPRESSION zstd)`, [viewerId]);
    return found;
  });
}

/** Local copies: of events, of plays whose events are gone, and of what videos are called, if there are any. */
export type QueriedFiles = Readonly<Record<'events' | 'plays' | 'titles', readonly string[]>>;

/**
 * Answers one SELECT over the views of these files.
 * @throws AppError INVALID_ARGUMENT for anything but one SELECT, or one that fails; DEADLINE_EXCEEDED
 */
export async function queryFiles(options: DuckDbOptions, files: QueriedFiles, sql: string): Promise<QueryResult> {
  return withDuckDb(options, async (connection) => {
    await openViews(connection, files);
    // From here on the text of a stranger runs: no file but these, no network, no other setting.
    for (const statement of [
      `SET allowed_paths = [${list(Object.values(files).flat())}]`,
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

/**
 * Answers statements of ours, without a limit of rows: `take` gets a chunk at a time.
 * @param withinMs of all statements
 * @throws AppError ABORTED, DEADLINE_EXCEEDED
 */
export async function computeOver(
  options: DuckDbOptions,
  files: QueriedFiles,
  { statements, signal }: Pick<Computation, 'statements' | 'signal'>,
  take: (statement: number, rows: Rows) => void,
  withinMs = COMPUTE_MS,
): Promise<void> {
  const deadline = AbortSignal.timeout(withinMs);
  const ended = AbortSignal.any([signal, deadline]);
  await withDuckDb(options, async (connection) => {
    const interrupt = (): void => connection.interrupt();
    ended.addEventListener('abort', interrupt, { once: true });
    try {
      await openViews(connection, files);
      for (const [at, statement] of statements.entries()) {
        ended.throwIfAborted();
        const result = await connection.stream(statement);
        for await (const rows of result.yieldRowObjectJson()) take(at, rows);
      }
    } catch (cause) {
      if (signal.aborted) throw new AppError('ABORTED', 'the computation was ended', { cause });
      if (!deadline.aborted) throw cause;
      throw new AppError('DEADLINE_EXCEEDED', `a computation took longer than ${withinMs / 1_000} s`, { cause });
    } finally {
      ended.removeEventListener('abort', interrupt);
    }
  });
}

/** The views of the warehouse, and what they read. */
async function openViews(connection: DuckDBConnection, files: QueriedFiles): Promise<void> {
  await openRelations(connection, files);
  for (const view of viewsFor('duckdb')) await connection.run(view);
}

async function openRelations(connection: DuckDBConnection, { events, plays, titles }: QueriedFiles): Promise<void> {
  await connection.run(`CREATE VIEW stored_events AS ${relationOf(columns, events)}`);
  await connection.run(`CREATE VIEW stored_plays AS ${relationOf(partColumns, plays)}`);
  await connection.run(`CREATE VIEW stored_videos AS ${relationOf(videoColumns, titles)}`);
}

const sqlTypes = { text: 'VARCHAR', time: 'TIMESTAMP', count: 'BIGINT', flag: 'BOOLEAN' } as const;

/** The rows of files, null in a column that a file does not have; without files, none. */
function relationOf(of: Readonly<Record<string, ColumnType>>, paths: readonly string[]): string {
  const typed = Object.entries(of).map(([name, type]) => `CAST(NULL AS ${sqlTypes[type]}) AS ${name}`);
  const none = `SELECT ${typed.join(', ')} WHERE false`;
  if (paths.length === 0) return none;
  const files = `SELECT * FROM read_parquet([${list(paths)}], union_by_name = true, hive_partitioning = false)`;
  return `SELECT ${Object.keys(of).join(', ')} FROM (${files} UNION ALL BY NAME ${none})`;
}

async function withDuckDb<T>(
  { memoryBytes, scratch }: DuckDbOptions,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${Math.floor(memoryBytes / 1024)}KiB`,
    threads: '1',
    temp_directory: scratch,
    max_temp_directory_size: TEMPORARY,
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
