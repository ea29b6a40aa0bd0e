/**
 * Events in ClickHouse, for those who have outgrown files: replicas insert beside each other, the engine merges, shards and
 * forgets. Rows have a token of their content, so that the same ones are ignored when they are inserted again; those that came
 * back in another division are not, and the views allow for that.
 */
import { createHash } from 'node:crypto';
import { createClient, ClickHouseError, ClickHouseLogLevel, type ClickHouseClient } from '@clickhouse/client';
import { AppError, messageOf } from '@vds/chassis/errors';
import { columns, type Column, type EventRow, type VideoTitle } from '../domain/event-row.ts';
import type { Days } from '../domain/object-keys.ts';
import { dialects } from '../domain/warehouse/dialects.ts';
import { keyColumns, schemaOf } from './clickhouse-schema.ts';
import type { Computation, Rows } from './computation.ts';
import type { EventStore } from './store.ts';

export type ClickHouseOptions = {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Name of the cluster: tables are replicated on it. Undefined: a single server. */
  readonly cluster: string | undefined;
  readonly keepMs: number;
};

const MAX_ROWS = 10_000;
const QUERY_SECONDS = 60;
const COMPUTE_SECONDS = 1_800;
/** The first and the last time of a row, of what holds rows of viewers. */
const TIMES = { stored_events: ['received_at', 'received_at'], play_parts: ['first_at', 'last_at'] } as const;
const VIEWS = Object.keys(TIMES);

/** Connects, and creates tables and views that are missing. */
export async function openClickHouseStore(
  options: ClickHouseOptions,
): Promise<EventStore & { close: () => Promise<void> }> {
  const { url, user: username, password, database } = options;
  const client = createClient({
    url,
    username,
    password,
    database,
    request_timeout: (QUERY_SECONDS + 5) * 1_000,
    log: { level: ClickHouseLogLevel.OFF },
  });
  for (const query of schemaOf(options)) await guard(() => client.command({ query }));
  await keepPlays(client, options);
  return {
    put: async (rows) => {
      if (rows.length === 0) return;
      const insert_deduplication_token = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
      await guard(() =>
        client.insert({
          table: 'stored_events',
          values: rows.map(valuesOf),
          format: 'JSONEachRow',
          clickhouse_settings: {
            insert_deduplication_token,
            // A replica that was killed between the two tables leaves one of them without the batch.
            deduplicate_blocks_in_dependent_materialized_views: 1,
            date_time_input_format: 'best_effort',
          },
        }),
      );
    },
    name: (videos) => name(client, videos),
    query: (organizationId, sql, days) => query(client, filtersOf(database, organizationId, days), sql),
    organizations: (days) => organizationsOf(client, days),
    dialect: dialects.clickhouse,
    compute: (question, take) =>
      compute(client, filtersOf(database, question.organizationId, question.days), question, take),
    deleteViewer: (organizationId, viewerId) =>
      remove(client, VIEWS, 'organization_id = {organization:String} AND viewer_id = {viewer:String}', {
        ...{ organization: organizationId, viewer: viewerId },
      }),
    deleteOrganization: async (organizationId) =>
      void (await remove(client, [...VIEWS, 'stored_videos'], 'organization_id = {organization:String}', {
        organization: organizationId,
      })),
    // The engine does both.
    compact: async () => {},
    close: () => client.close(),
  };
}

/** Plays are kept for ever; a database from before that has a time after which they are dropped. */
async function keepPlays(client: ClickHouseClient, { database, cluster }: ClickHouseOptions): Promise<void> {
  const query = `SELECT count() AS n FROM system.tables WHERE database = {database:String} AND name = 'play_parts'
    AND engine_full LIKE '% TTL %'`;
  const on = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
  await guard(async () => {
    const answered = await client.query({ query, query_params: { database }, format: 'JSON' });
    const [found] = (await answered.json<{ n: string }>()).data;
    if (Number(found?.n) > 0) await client.command({ query: `ALTER TABLE play_parts${on} REMOVE TTL` });
  });
}

/** One organization's rows, whatever the text says: the filter is a setting, and a query that only reads cannot change it. */
async function query(client: ClickHouseClient, filters: string, sql: string) {
  const result = await guard(async () => {
    const answered = await client.query({
      query: sql,
      format: 'JSON',
      clickhouse_settings: {
        readonly: '1',
        additional_table_filters: filters as never,
        max_execution_time: QUERY_SECONDS,
        max_result_rows: String(MAX_ROWS + 1),
        result_overflow_mode: 'break',
        output_format_json_quote_64bit_integers: 1,
      },
    });
    return answered.json<Readonly<Record<string, unknown>>>();
  });
  const rows = result.data;
  return {
    columns: (result.meta ?? []).map(({ name }) => name),
    rows: rows.slice(0, MAX_ROWS),
    isCut: rows.length > MAX_ROWS,
  };
}

async function organizationsOf(client: ClickHouseClient, { from }: Days): Promise<readonly string[]> {
  const query = 'SELECT DISTINCT organization_id FROM play_parts WHERE toDate(last_at) >= {from:String} ORDER BY 1';
  return guard(async () => {
    const answered = await client.query({ query, query_params: { from }, format: 'JSON' });
    return (await answered.json<{ organization_id: string }>()).data.map((row) => row.organization_id);
  });
}

async function compute(
  client: ClickHouseClient,
  filters: string,
  { statements, signal }: Computation,
  take: (statement: number, rows: Rows) => void,
): Promise<void> {
  for (const [at, query] of statements.entries())
    await guard(async () => {
      const answered = await client.query({
        ...{ query, format: 'JSONEachRow', abort_signal: signal },
        clickhouse_settings: {
          ...{ readonly: '1', additional_table_filters: filters as never, output_format_json_quote_64bit_integers: 1 },
          ...{ max_execution_time: COMPUTE_SECONDS, max_bytes_before_external_group_by: String(2 ** 30) },
          // The answer begins when all is computed: until then the connection says nothing else.
          ...{ send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '10000' },
        },
      });
      for await (const rows of answered.stream<Readonly<Record<string, unknown>>>())
        take(
          at,
          rows.map((row) => row.json()),
        );
    });
}

/** A title that is taken away is in no row any more, either; the engine drops the rows of earlier versions some day. */
async function name(client: ClickHouseClient, videos: readonly VideoTitle[]): Promise<void> {
  if (videos.length === 0) return;
  const values = videos.map(({ organizationId, videoId, title, version }) => ({
    ...{ organization_id: organizationId, video_id: videoId, title, version },
  }));
  const untitled = videos.filter(({ title }) => title === '').map(({ videoId }) => videoId);
  await guard(async () => {
    await client.insert({ table: 'stored_videos', values, format: 'JSONEachRow' });
    if (untitled.length > 0)
      await removeRows(client, 'stored_videos', `video_id IN {videos:Array(String)} AND title != ''`, {
        videos: untitled,
      });
  });
}

type Params = Readonly<Record<string, unknown>>;

/** Returns how many events there were. */
async function remove(
  client: ClickHouseClient,
  tables: readonly string[],
  where: string,
  params: Params,
): Promise<number> {
  return guard(async () => {
    const counted = await client.query({
      query: `SELECT count() AS n FROM stored_events WHERE ${where}`,
      query_params: params,
      format: 'JSON',
    });
    const { data } = await counted.json<{ n: string }>();
    for (const table of tables) await removeRows(client, table, where, params);
    return Number(data[0]?.n ?? 0);
  });
}

async function removeRows(client: ClickHouseClient, table: string, where: string, params: Params): Promise<void> {
  await client.command({
    query: `ALTER TABLE ${table} DELETE WHERE ${where}`,
    query_params: params,
    clickhouse_settings: { mutations_sync: '2' },
  });
}

/** By table, the rows that a query sees: of one organization, and of these days. */
function filtersOf(database: string, organizationId: string, { from, to }: Days): string {
  const owned = `organization_id = \\'${organizationId}\\'`;
  const filters = Object.entries(TIMES).map(([table, [first, last]]) => {
    const since = from === '' ? '' : ` AND toDate(${last}) >= \\'${from}\\'`;
    const until = to === '' ? '' : ` AND toDate(${first}) <= \\'${to}\\'`;
    return `'${database}.${table}': '${owned}${since}${until}'`;
  });
  return `{${[...filters, `'${database}.stored_videos': '${owned}'`].join(', ')}}`;
}

function valuesOf(row: EventRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.keys(columns).map((name) => {
      const value = row[name as Column];
      if (value instanceof Date) return [name, value.toISOString()];
      return [name, value ?? (keyColumns.has(name) ? '' : null)];
    }),
  );
}

/** What ClickHouse rejects is the query's fault; everything else passes. */
async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ClickHouseError)) throw new AppError('UNAVAILABLE', messageOf(cause), { cause });
    const isLate = cause.type === 'TIMEOUT_EXCEEDED';
    throw new AppError(isLate ? 'DEADLINE_EXCEEDED' : 'INVALID_ARGUMENT', messageOf(cause), { cause });
  }
}
