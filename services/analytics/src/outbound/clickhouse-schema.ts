/**
 * What ClickHouse has: events as they were reported, parts of plays that the engine adds up as events come, and the views.
 * Every replica creates what is missing.
 */
import { columns, videoColumns } from '../domain/event-row.ts';
import { dialects } from '../domain/warehouse/dialects.ts';
import { playColumns, playPartsOf, type PlayColumn } from '../domain/warehouse/plays.ts';
import { viewsFor } from '../domain/warehouse/views.ts';

type Options = {
  /** Name of the cluster: tables are replicated on it. Undefined: a single server. */
  readonly cluster: string | undefined;
  readonly keepMs: number;
};

const DAY_MS = 86_400_000;
const TIME = "DateTime64(3, 'UTC')";
const sqlTypes = { text: 'Nullable(String)', time: TIME, count: 'Nullable(Int64)', flag: 'Nullable(Bool)' } as const;
/** They order their table, so they are never null. */
export const keyColumns: ReadonlySet<string> = new Set([
  'event_id',
  'view_id',
  'source',
  'organization_id',
  'video_id',
]);
const PART_KEY = ['organization_id', 'view_id', 'video_id', 'source'] as const;
/** Those that are no text. */
const partTypes: Readonly<Partial<Record<keyof typeof playColumns, string>>> = {
  ...{ first_at: TIME, last_at: TIME, watched_ms: 'Int64', stalled_ms: 'Int64', stalls: 'Int64', seen: 'Int64' },
  ...{ startup_ms: sqlTypes.count, video_duration_ms: sqlTypes.count, has_failed: sqlTypes.flag },
};
const functions: Readonly<Record<PlayColumn['by'], string>> = {
  ...{ any: 'any', min: 'min', max: 'max', bitOr: 'groupBitOr', boolOr: 'max' },
};

/** The statements, each after those that it needs. */
export function schemaOf({ cluster, keepMs }: Options): readonly string[] {
  const on = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
  const replicated = cluster === undefined ? '' : 'Replicated';
  const window = cluster === undefined ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window';
  const days = Math.ceil(keepMs / DAY_MS);
  const declared = Object.entries(columns).map(
    ([name, type]) => `${name} ${keyColumns.has(name) ? 'String' : sqlTypes[type]}`,
  );
  const parts = Object.entries(playColumns).map(([name, { by }]) => {
    const type = partTypes[name as keyof typeof playColumns] ?? sqlTypes.text;
    return `${name} SimpleAggregateFunction(${functions[by]}, ${type})`;
  });
  const videos = Object.keys(videoColumns).map((name) => `${name} ${name === 'version' ? 'Int64' : 'String'}`);
  return [
    `CREATE TABLE IF NOT EXISTS stored_videos${on} (
  organization_id String,
  ${videos.join(',\n  ')}
) ENGINE = ${replicated}ReplacingMergeTree(version)
ORDER BY (organization_id, video_id)`,
    `CREATE TABLE IF NOT EXISTS stored_events${on} (
  ${declared.join(',\n  ')}
) ENGINE = ${replicated}MergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (organization_id, toDate(received_at), view_id)
TTL toDateTime(received_at) + INTERVAL ${days} DAY
SETTINGS ${window} = 10000`,
    `CREATE TABLE IF NOT EXISTS play_parts${on} (
  ${[...PART_KEY.map((name) => `${name} String`), ...parts].join(',\n  ')}
) ENGINE = ${replicated}AggregatingMergeTree
ORDER BY (${PART_KEY.join(', ')})
TTL toDateTime(last_at) + INTERVAL ${days} DAY
SETTINGS ${window} = 10000`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS add_play_parts${on} TO play_parts AS
  ${playPartsOf(dialects.clickhouse, 'stored_events', PART_KEY)}`,
    ...viewsFor('clickhouse', storedParts()).map((view) => view.replace(/^(CREATE OR REPLACE VIEW \w+)/, `$1${on}`)),
  ];
}

/** What is stored of a part may still be in several rows. */
function storedParts(): string {
  const added = Object.entries(playColumns).map(([name, { by }]) => `${functions[by]}(${name}) AS ${name}`);
  return `SELECT
    ${['view_id', 'video_id', 'source', ...added].join(',\n    ')}
  FROM play_parts
  GROUP BY ${PART_KEY.join(', ')}`;
}
