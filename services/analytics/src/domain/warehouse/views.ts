/**
 * The views of the warehouse, one text for every engine. All of them follow from `stored_events`, the rows as they are
 * stored: reports may be there twice, and counters are cumulative, so a view of a video is what its greatest values say.
 */
import { dialects, type Dialect, type DialectName } from './dialects.ts';

export const viewNames = [
  'events',
  'plays',
  'daily',
  'hourly',
  'geography',
  'devices',
  'failures',
  'retention',
] as const;
export type ViewName = (typeof viewNames)[number];

/**
 * The statements that create the views, each after those that it reads.
 * @param playParts the parts of plays, if the engine keeps them; else they are added up from the events each time
 */
export function viewsFor(
  name: DialectName,
  playParts = playPartsOf(dialects[name], 'stored_events'),
): readonly string[] {
  const dialect = dialects[name];
  return viewNames.map((view) => `${dialect.create(view)}\n${bodies(playParts)[view](dialect)}`);
}

/** A column of a part of a play: how its values are added up, and the value of an event. */
export type PlayColumn = { readonly by: 'any' | 'last' | 'min' | 'max' | 'bitOr' | 'boolOr'; readonly value: string };

/** What the reports of one source say of a view; with its key, `view_id` and `source`. */
export const playColumns = {
  publisher_id: { by: 'any', value: 'publisher_id' },
  video_id: { by: 'any', value: 'video_id' },
  video_title: { by: 'last', value: 'video_title' },
  viewer_id: { by: 'max', value: 'viewer_id' },
  first_at: { by: 'min', value: 'occurred_at' },
  last_at: { by: 'max', value: 'occurred_at' },
  watched_ms: { by: 'max', value: 'coalesce(watched_ms, 0)' },
  stalled_ms: { by: 'max', value: 'coalesce(stalled_ms, 0)' },
  stalls: { by: 'max', value: 'coalesce(stalls, 0)' },
  startup_ms: { by: 'max', value: 'startup_ms' },
  seen: { by: 'bitOr', value: 'coalesce(seen, 0)' },
  video_duration_ms: { by: 'max', value: 'video_duration_ms' },
  has_failed: { by: 'boolOr', value: 'is_fatal' },
  error_code: { by: 'max', value: "CASE WHEN is_fatal OR event_type = 'error' THEN error_code END" },
  country: { by: 'max', value: 'country' },
  device_type: { by: 'max', value: 'device_type' },
  device_os: { by: 'max', value: 'device_os' },
  browser: { by: 'max', value: 'browser' },
} as const satisfies Readonly<Record<string, PlayColumn>>;

/** Two replicas of playback count the segments of one view apart: each is a source with counters of its own. */
export function playPartsOf(dialect: Dialect, from: string, key: readonly string[] = ['view_id', 'source']): string {
  const added: Readonly<Record<PlayColumn['by'], (value: string) => string>> = {
    any: dialect.any,
    last: (value) => dialect.last(value, 'received_at'),
    min: (value) => `min(${value})`,
    max: (value) => `max(${value})`,
    bitOr: dialect.bitOr,
    boolOr: dialect.boolOr,
  };
  const columns = Object.entries(playColumns).map(([name, { by, value }]) => `${added[by](value)} AS ${name}`);
  return `SELECT
    ${[...key, ...columns].join(',\n    ')}
  FROM ${from}
  GROUP BY ${key.join(', ')}`;
}

function bodies(playParts: string): Readonly<Record<ViewName, (dialect: Dialect) => string>> {
  return {
    events: ({ day }) => `SELECT * FROM (
  SELECT e.*, ${day('occurred_at')} AS occurred_on,
    row_number() OVER (PARTITION BY view_id, event_id ORDER BY received_at) AS copy_number
  FROM stored_events AS e
) AS numbered
WHERE copy_number = 1`,

    plays: ({ any, bitOr, boolOr, day, hour }) => `SELECT
  view_id,
  ${any('publisher_id')} AS publisher_id,
  ${any('video_id')} AS video_id,
  ${any('video_title')} AS video_title,
  ${any('viewer_id')} AS viewer_id,
  min(first_at) AS began_at,
  ${day('min(first_at)')} AS began_on,
  ${hour('min(first_at)')} AS began_hour,
  max(last_at) AS ended_at,
  sum(watched_ms) AS watched_ms,
  sum(stalled_ms) AS stalled_ms,
  sum(stalls) AS stalls,
  max(startup_ms) AS startup_ms,
  ${bitOr('seen')} AS seen,
  max(video_duration_ms) AS video_duration_ms,
  ${boolOr('has_failed')} AS has_failed,
  max(error_code) AS error_code,
  ${any('country')} AS country,
  ${any('device_type')} AS device_type,
  ${any('device_os')} AS device_os,
  ${any('browser')} AS browser
FROM (
  ${playParts}
) AS counted
GROUP BY view_id`,

    daily: (dialect) => summary(dialect, ['began_on', 'publisher_id', 'video_id']),
    hourly: (dialect) => summary(dialect, ['began_hour']),
    geography: (dialect) => summary(dialect, ['began_on', 'country']),
    devices: (dialect) => summary(dialect, ['began_on', 'device_type', 'device_os', 'browser']),

    failures: ({ distinct }) => `SELECT
  began_on,
  video_id,
  failure AS error_code,
  count(*) AS failed_plays,
  ${distinct('viewer_id')} AS viewers
FROM (
  SELECT began_on, video_id, viewer_id, coalesce(error_code, 'unknown') AS failure FROM plays WHERE has_failed
) AS failed
GROUP BY began_on, video_id, failure`,

    retention: ({ bit, float, twentieths }) => `SELECT
  video_id,
  n + 1 AS twentieth,
  sum(${bit('seen', 'n')}) AS seen_plays,
  count(*) AS plays,
  ${float(`sum(${bit('seen', 'n')})`)} / count(*) AS seen_share
FROM plays CROSS JOIN ${twentieths('steps')}
WHERE seen > 0
GROUP BY video_id, n`,
  };
}

/** Plays by these columns, with the figures of §1 of the specification. */
function summary({ any, distinct, float, median }: Dialect, by: readonly string[]): string {
  const title = by.includes('video_id') ? `\n  ${any('video_title')} AS video_title,` : '';
  return `SELECT
  ${by.join(',\n  ')},${title}
  count(*) AS plays,
  ${distinct('viewer_id')} AS viewers,
  ${float('sum(watched_ms)')} / 3600000 AS watched_hours,
  avg(CASE WHEN video_duration_ms > 0
    THEN CASE WHEN watched_ms > video_duration_ms THEN 1.0
      ELSE ${float('watched_ms')} / video_duration_ms END END) AS engagement,
  sum(CASE WHEN has_failed THEN 1 ELSE 0 END) AS failed_plays,
  sum(stalls) AS stalls,
  CASE WHEN sum(watched_ms + stalled_ms) > 0
    THEN ${float('sum(stalled_ms)')} / sum(watched_ms + stalled_ms) ELSE 0 END AS rebuffering_share,
  ${median('startup_ms')} AS startup_ms_median
FROM plays
GROUP BY ${by.join(', ')}`;
}
