/**
 * Loads and plays: a session of a player and a video, added up from its reports, whose counters are cumulative within each
 * source. It is a play once it was asked to play, as Mux Data counts views; what is asked for, shown, failed and left is
 * told apart by the player's states of CTA-5004-A.
 */
import type { ColumnType } from '../event-row.ts';
import type { Dialect } from './dialects.ts';

/** A column of a part of a play: how its values are added up, and the value of an event. */
export type PlayColumn = {
  readonly by: 'any' | 'min' | 'max' | 'bitOr' | 'boolOr';
  readonly value: string;
  readonly type: ColumnType;
};

/** What the reports of one source say of a play, beside what names it. */
export const playColumns = {
  publisher_id: { by: 'any', value: 'publisher_id', type: 'text' },
  viewer_id: { by: 'max', value: 'viewer_id', type: 'text' },
  first_at: { by: 'min', value: 'occurred_at', type: 'time' },
  last_at: { by: 'max', value: 'occurred_at', type: 'time' },
  watched_ms: { by: 'max', value: 'coalesce(watched_ms, 0)', type: 'count' },
  stalled_ms: { by: 'max', value: 'coalesce(stalled_ms, 0)', type: 'count' },
  stalls: { by: 'max', value: 'coalesce(stalls, 0)', type: 'count' },
  startup_ms: { by: 'max', value: 'startup_ms', type: 'count' },
  seen: { by: 'bitOr', value: 'coalesce(seen, 0)', type: 'count' },
  video_duration_ms: { by: 'max', value: 'video_duration_ms', type: 'count' },
  has_failed: { by: 'boolOr', value: 'is_fatal', type: 'flag' },
  error_code: {
    ...{ by: 'max', type: 'text' },
    value: "CASE WHEN is_fatal OR event_type = 'error' THEN error_code END",
  },
  country: { by: 'max', value: 'country', type: 'text' },
  device_type: { by: 'max', value: 'device_type', type: 'text' },
  device_os: { by: 'max', value: 'device_os', type: 'text' },
  browser: { by: 'max', value: 'browser', type: 'text' },
  was_asked: { by: 'boolOr', value: 'was_asked', type: 'flag' },
  has_started: {
    ...{ by: 'boolOr', type: 'flag' },
    value: "startup_ms IS NOT NULL OR coalesce(watched_ms, 0) > 0 OR coalesce(player_state, '') = 'playing'",
  },
} as const satisfies Readonly<Record<string, PlayColumn>>;

const PART_KEY = ['view_id', 'video_id', 'source'] as const;
/** What is kept of a play once its events are not any more: columns of the files of plays. */
export const partColumns: Readonly<Record<string, ColumnType>> = Object.fromEntries([
  ...PART_KEY.map((name): [string, ColumnType] => [name, 'text']),
  ...Object.entries(playColumns).map(([name, { type }]): [string, ColumnType] => [name, type]),
]);

/** Each event as a part of its play. */
export function eventsAsParts(from: string, key: readonly string[] = PART_KEY): string {
  const values = Object.entries(playColumns).map(([name, { value }]) =>
    value === name ? name : `${value} AS ${name}`,
  );
  return `SELECT ${[...key, ...values].join(',\n      ')}
    FROM ${from}`;
}

/** The parts of events, and of what is left of those that are not kept any more. */
export function allParts(): string {
  return `${eventsAsParts('stored_events')}
    UNION ALL
    SELECT ${Object.keys(partColumns).join(', ')}
    FROM stored_plays`;
}

/**
 * One row a part. Two replicas of playback count the segments of one view apart: each is a source with counters of its own.
 * @param from a relation or query with the columns of parts, of which there may be several rows each
 */
export function playPartsOf(dialect: Dialect, from: string, key: readonly string[] = PART_KEY): string {
  const added: Readonly<Record<PlayColumn['by'], (value: string) => string>> = {
    any: dialect.any,
    min: (value) => `min(${value})`,
    max: (value) => `max(${value})`,
    bitOr: dialect.bitOr,
    boolOr: dialect.boolOr,
  };
  const columns = Object.entries(playColumns).map(([name, { by }]) => `${added[by](`p.${name}`)} AS ${name}`);
  return `SELECT
    ${[...key, ...columns].join(',\n    ')}
  FROM ${from.includes(' ') ? `(\n    ${from}\n  )` : from} AS p
  GROUP BY ${key.join(', ')}`;
}

/**
 * Those of parts from before `was_asked` was told were all counted as plays.
 * @param playParts a query for the parts of plays
 */
export function loadsFrom({ any, bitOr, boolOr, day, hour }: Dialect, playParts: string): string {
  return `SELECT
  view_id,
  ${any('publisher_id')} AS publisher_id,
  video_id,
  ${any('title')} AS video_title,
  ${any('viewer_id')} AS viewer_id,
  min(first_at) AS began_at,
  ${day('min(first_at)')} AS began_on,
  ${hour('min(first_at)')} AS began_hour,
  max(last_at) AS ended_at,
  coalesce(${boolOr('counted.was_asked')}, true) AS was_asked,
  coalesce(${boolOr('counted.has_started')}, sum(counted.watched_ms) > 0 OR max(counted.startup_ms) IS NOT NULL) AS has_started,
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
LEFT JOIN videos USING (video_id)
GROUP BY view_id, video_id`;
}
