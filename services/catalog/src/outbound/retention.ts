/** How long the rows of catalog's tables are kept. */
import type { Retention } from '@vds/chassis/database/retention';
import type { RetentionTimes } from '../config.ts';

/** In this order: rows that refer to a video are removed before it. */
export function retentionOf(times: RetentionTimes): Retention {
  const { deletedKeepMs, purgesKeepMs, dailyCountsKeepMs, auditKeepMs, idempotencyKeepMs } = times;
  return {
    audit: { keepMs: auditKeepMs, pruneBy: 'prune_audit' },
    purges: { keepMs: purgesKeepMs, expired: (before) => `confirmed_at < ${before}` },
    daily_counts: { keepMs: dailyCountsKeepMs, expired: (before) => `day < (${before})::date` },
    idempotency_keys: { keepMs: idempotencyKeepMs, expired: (before) => `created_at < ${before}` },
    stages: {
      keepMs: deletedKeepMs,
      expired: (before) => `video_id IN (SELECT id FROM videos AS v WHERE ${isExpired('v', before)})`,
    },
    videos: {
      keepMs: deletedKeepMs,
      expired: (before) => `${isExpired('t', before)} AND NOT EXISTS (SELECT FROM stages WHERE video_id = t.id)`,
    },
    clips: 'a row exists while its video is ready',
    publisher_usage: 'one row a publisher',
  };
}

/** An unconfirmed purge keeps its video: it is republished until its owner confirms it. */
function isExpired(video: string, before: string): string {
  return `${video}.state = 'deleted' AND ${video}.deleted_at < ${before}
    AND NOT EXISTS (SELECT FROM purges WHERE video_id = ${video}.id)
    AND NOT EXISTS (SELECT FROM audit WHERE video_id = ${video}.id)`;
}
