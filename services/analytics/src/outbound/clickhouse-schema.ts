/**
 * What ClickHouse has: events as they were reported, parts of plays that the engine adds up as events come, and the views.
 * Every replica creates what is missing.
 */
import { columns, videoColumns } from '../domain/event-row.ts';
import { dialects } from '../domain/warehouse/dialects.ts';
import { eventsAsParts, playColumns, playPartsOf, type PlayColumn } from '../domain/warehouse/plays.ts';
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
/** They are never null. */
const wholeColumns: ReadonlySet<string> = new Set(['watched_ms', 'stalled_ms', 'stalls', 'seen']);
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
  const parts = Object.entries(playColumns).map(([name, { by, type }]) => {
    const sqlType = wholeColumns.has(name) ? 'Int64' : sqlTypes[type];
    return `${name} SimpleAggregateFunction(${functions[by]}, ${sqlType})`;
  });
  const added = playPartsOf(dialects.clickhouse, eventsAsParts('stored_events', PART_KEY), PART_KEY);
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
SETTINGS ${window} = 10000`,
    // Of a database from before these columns.
    `ALTER TABLE stored_events${on} ADD COLUMN IF NOT EXISTS was_asked ${sqlTypes.flag}`,
    `ALTER TABLE play_parts${on} ${parts
      .filter((part) => /^(was_asked|has_started) /.test(part))
      .map((part) => `ADD COLUMN IF NOT EXISTS ${part}`)
      .join(', ')}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS add_play_parts${on} TO play_parts AS
  ${added}`,
    `ALTER TABLE add_play_parts${on} MODIFY QUERY ${added}`,
    // What is stored of a part may still be in several rows.
    ...viewsFor('clickhouse', playPartsOf(dialects.clickhouse, 'play_parts', PART_KEY)).map((view) =>
      view.replace(/^(CREATE OR REPLACE VIEW \w+)/, `$1${on}`),
    ),
  ];
}
