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

/** The statements that create the views, each after those that it reads. */
export function viewsFor(name: DialectName): readonly string[] {
  const dialect = dialects[name];
  return viewNames.map((view) => `${dialect.create(view)}\n${bodies[view](dialect)}`);
}

const bodies: Readonly<Record<ViewName, (dialect: Dialect) => string>> = {
  events: ({ day }) => `SELECT * FROM (
  SELECT e.*, ${day('occurred_at')} AS occurred_on,
    row_number() OVER (PARTITION BY view_id, event_id ORDER BY received_at) AS copy_number
  FROM stored_events AS e
) AS numbered
WHERE copy_number = 1`,

  plays: ({ any, last, bitOr, boolOr, day, hour }) => `SELECT
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
  SELECT
    view_id,
    source,
    ${any('publisher_id')} AS publisher_id,
    ${any('video_id')} AS video_id,
    ${last('video_title', 'received_at')} AS video_title,
    max(viewer_id) AS viewer_id,
    min(occurred_at) AS first_at,
    max(occurred_at) AS last_at,
    coalesce(max(watched_ms), 0) AS watched_ms,
    coalesce(max(stalled_ms), 0) AS stalled_ms,
    coalesce(max(stalls), 0) AS stalls,
    max(startup_ms) AS startup_ms,
    ${bitOr('coalesce(seen, 0)')} AS seen,
    max(video_duration_ms) AS video_duration_ms,
    ${boolOr('is_fatal')} AS has_failed,
    max(CASE WHEN is_fatal OR event_type = 'error' THEN error_code END) AS error_code,
    max(country) AS country,
    max(device_type) AS device_type,
    max(device_os) AS device_os,
    max(browser) AS browser
  FROM stored_events
  GROUP BY view_id, source
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
