/**
 * The views of the warehouse, one text for every engine. All of them follow from `stored_videos`, what videos are called,
 * `stored_events`, the rows as they are stored, and `stored_plays`, what is left of older ones: reports may be there twice,
 * and counters are cumulative, so a view of a video is what its greatest values say.
 */
import { allParts, loadsFrom, playPartsOf } from './plays.ts';
import { dialects, type Dialect, type DialectName } from './dialects.ts';

export const viewNames = [
  'videos',
  'events',
  'loads',
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
export function viewsFor(name: DialectName, playParts = playPartsOf(dialects[name], allParts())): readonly string[] {
  const dialect = dialects[name];
  return viewNames.map((view) => `${dialect.create(view)}\n${bodies(playParts)[view](dialect)}`);
}

function bodies(playParts: string): Readonly<Record<ViewName, (dialect: Dialect) => string>> {
  return {
    videos: ({ last }) => `SELECT video_id, NULLIF(${last('title', 'version')}, '') AS title
FROM stored_videos
GROUP BY video_id`,

    events: ({ day }) => `SELECT * FROM (
  SELECT e.*, ${day('occurred_at')} AS occurred_on,
    row_number() OVER (PARTITION BY view_id, video_id, event_id ORDER BY received_at) AS copy_number
  FROM stored_events AS e
) AS numbered
WHERE copy_number = 1`,

    loads: (dialect) => loadsFrom(dialect, playParts),

    plays: () => 'SELECT * FROM loads WHERE was_asked',

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

/** Loads by these columns, with the figures of §1 of the specification, which are about plays. */
function summary({ any, distinct, float, median }: Dialect, by: readonly string[]): string {
  const title = by.includes('video_id') ? `\n  ${any('video_title')} AS video_title,` : '';
  return `SELECT
  ${by.join(',\n  ')},${title}
  count(*) AS loads,
  ${countOf('was_asked')} AS plays,
  ${countOf('was_asked AND has_started')} AS starts,
  ${countOf('was_asked AND NOT has_started AND has_failed')} AS failed_starts,
  ${countOf('was_asked AND NOT has_started AND NOT has_failed')} AS exits_before_start,
  ${distinct('CASE WHEN was_asked THEN viewer_id END')} AS viewers,
  ${float('sum(watched_ms)')} / 3600000 AS watched_hours,
  avg(CASE WHEN was_asked AND video_duration_ms > 0
    THEN CASE WHEN watched_ms > video_duration_ms THEN 1.0
      ELSE ${float('watched_ms')} / video_duration_ms END END) AS engagement,
  ${countOf('was_asked AND has_failed')} AS failed_plays,
  sum(stalls) AS stalls,
  CASE WHEN sum(watched_ms + stalled_ms) > 0
    THEN ${float('sum(stalled_ms)')} / sum(watched_ms + stalled_ms) ELSE 0 END AS rebuffering_share,
  ${median('startup_ms')} AS startup_ms_median
FROM loads
GROUP BY ${by.join(', ')}`;
}

function countOf(condition: string): string {
  return `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
}
