/**
 * What viewers watch, as queries over the view `plays` of one organization: the same text for both stores. Viewers' ids
 * are hashes with the organization's key, so nobody is followed from one organization into another, and no result names
 * any. A deleted video has no title, and is in no result. Only viewers whom the app names in their tokens count: whoever
 * holds another token can report as many sessions and devices as they like.
 */
import { DEVICE } from '../event-row.ts';
import type { Dialect } from './dialects.ts';

/** No figure is about fewer viewers: a single one cannot be seen in it. */
export const MIN_VIEWERS = 3;
/** Companions of a video, at most. */
export const MAX_COMPANIONS = 20;
/** Of a viewer's videos the last ones count: the number of pairs grows with the square, and nobody floods them. */
const MAX_OF_VIEWER = 50;
/** A video counts as watched from this share on, or from this time on, in milliseconds: less is a look. */
const [WATCHED_SHARE, WATCHED_MS] = [0.3, 120_000];
/** Not true of null either. */
const NAMED = `viewer_id NOT LIKE '${DEVICE}%'`;
/** The prior's weight, in viewers. */
const PRIOR = 1;

/**
 * Pairs of videos with viewers in common: `video_id`, `companion_id`, and `lift`, the number of common viewers over the
 * number that chance would give, `n / E` with `E = a × b / all viewers`. With few viewers that quotient is noise, so it is
 * the posterior mean `(n + 1) / (E + 1)` of a gamma prior around 1 (DuMouchel 1999, Bayesian data mining in large frequency
 * tables, https://doi.org/10.1080/00031305.1999.10474456).
 * @param since only videos with an id from this one on have companions listed; ids begin with their time
 */
export function watchedTogether({ float }: Dialect, since = ''): string {
  const lift = `(${float('n.together')} + ${PRIOR}) / (${float('n.viewers')} * n.companion_viewers / n.all_viewers + ${PRIOR})`;
  return `WITH watched AS (
  SELECT viewer_id, video_id, max(began_at) AS watched_at
  FROM plays
  WHERE ${NAMED} AND video_title IS NOT NULL
    AND (watched_ms >= ${WATCHED_MS} OR watched_ms >= ${WATCHED_SHARE} * video_duration_ms)
  GROUP BY viewer_id, video_id
), latest AS (
  SELECT viewer_id, video_id, row_number() OVER (PARTITION BY viewer_id ORDER BY watched_at DESC, video_id) AS place
  FROM watched
), chosen AS (
  SELECT viewer_id, video_id, count(*) OVER (PARTITION BY video_id) AS viewers,
    sum(CASE WHEN place = 1 THEN 1 ELSE 0 END) OVER () AS all_viewers
  FROM latest
  WHERE place <= ${MAX_OF_VIEWER}
), often AS (
  SELECT viewer_id, video_id, viewers, all_viewers FROM chosen WHERE viewers >= ${MIN_VIEWERS}
), pairs AS (
  SELECT a.video_id AS video_id, b.video_id AS companion_id, count(*) AS together, max(a.viewers) AS viewers,
    max(b.viewers) AS companion_viewers, max(a.all_viewers) AS all_viewers
  FROM often AS a JOIN often AS b ON a.viewer_id = b.viewer_id
  WHERE a.video_id <> b.video_id AND a.video_id >= '${since}'
  GROUP BY a.video_id, b.video_id
  HAVING count(*) >= ${MIN_VIEWERS}
), lifted AS (
  SELECT n.video_id AS video_id, n.companion_id AS companion_id, ${lift} AS lift
  FROM pairs AS n
), ranked AS (
  SELECT video_id, companion_id, lift,
    row_number() OVER (PARTITION BY video_id ORDER BY lift DESC, companion_id) AS place
  FROM lifted
  WHERE lift > 1
)
SELECT video_id, companion_id, lift FROM ranked WHERE place <= ${MAX_COMPANIONS} ORDER BY video_id, place`;
}

/**
 * By video and hour: viewers who watched it last in that hour, and the sum of the shares that they watched. A viewer counts
 * once a video, however often the player starts.
 */
export function watchedShares({ float }: Dialect): string {
  return `SELECT video_id, watched_hour, max(duration_ms) AS duration_ms, count(*) AS viewers, sum(share) AS shares
FROM (
  SELECT video_id, viewer_id, max(began_hour) AS watched_hour,
    max(video_duration_ms) AS duration_ms,
    max(CASE WHEN watched_ms > video_duration_ms THEN 1.0 ELSE ${float('watched_ms')} / video_duration_ms END) AS share
  FROM plays
  WHERE ${NAMED} AND video_duration_ms > 0 AND video_title IS NOT NULL
  GROUP BY video_id, viewer_id
) AS viewed
GROUP BY video_id, watched_hour`;
}

/**
 * The smallest id of a video that was made at a time: a TypeID is a UUIDv7, whose first 48 bits are milliseconds, in the
 * letters of Crockford's base 32, of which the first ten have those bits (RFC 9562 §5.7, TypeID 0.3).
 */
export function firstIdAt(timeMs: number): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz';
  let [rest, id] = [Math.max(0, Math.floor(timeMs)), ''];
  for (let at = 0; at < 10; at += 1) {
    id = `${letters[rest % 32]}${id}`;
    rest = Math.floor(rest / 32);
  }
  return id;
}
