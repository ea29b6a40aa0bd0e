/** A play: a session of a player and a video, added up from its reports, whose counters are cumulative within each source. */
import type { Dialect } from './dialects.ts';

/** A column of a part of a play: how its values are added up, and the value of an event. */
export type PlayColumn = { readonly by: 'any' | 'min' | 'max' | 'bitOr' | 'boolOr'; readonly value: string };

/** What the reports of one source say of a play, beside what names it: `view_id`, `video_id` and `source`. */
export const playColumns = {
  publisher_id: { by: 'any', value: 'publisher_id' },
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
export function playPartsOf(
  dialect: Dialect,
  from: string,
  key: readonly string[] = ['view_id', 'video_id', 'source'],
): string {
  const added: Readonly<Record<PlayColumn['by'], (value: string) => string>> = {
    any: dialect.any,
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

/** @param playParts a query for the parts of plays */
export function playsFrom({ any, bitOr, boolOr, day, hour }: Dialect, playParts: string): string {
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
