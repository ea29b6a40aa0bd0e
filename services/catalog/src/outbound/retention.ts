/** How long the rows of catalog's tables are kept. */
import type { Retention } from '@vds/chassis/database/retention';
import { IDEMPOTENCY_KEEP_MS } from './create-video.ts';

/** Of confirmed purges. */
const PURGES_KEEP_MS = 30 * 86_400_000;

type Times = { readonly auditKeepMs: number; readonly tombstonesKeepMs: number };

/** In this order: rows that refer to a video are removed before it. */
export function retentionOf({ auditKeepMs, tombstonesKeepMs }: Times): Retention {
  return {
    audit: { keepMs: auditKeepMs, pruneBy: 'prune_audit' },
    purges: { keepMs: PURGES_KEEP_MS, expired: (before) => `confirmed_at < ${before}` },
    daily_counts: { keepMs: auditKeepMs, expired: (before) => `day < (${before})::date` },
    idempotency_keys: { keepMs: IDEMPOTENCY_KEEP_MS, expired: (before) => `created_at < ${before}` },
    stages: {
      keepMs: tombstonesKeepMs,
      expired: (before) => `video_id IN (SELECT id FROM videos AS v WHERE ${isExpired('v', before)})`,
    },
    videos: {
      keepMs: tombstonesKeepMs,
      expired: (before) => `${isExpired('t', before)} AND NOT EXISTS (SELECT FROM stages WHERE video_id = t.id)`,
    },
    clips: 'a row exists while its video is ready',
    publisher_usage: 'one row a publisher',
    publisher_months: 'one row a publisher and month, for invoices',
  };
}

/** An unconfirmed purge keeps its video: it is republished until its owner confirms it. */
function isExpired(video: string, before: string): string {
  return `${video}.state = 'deleted' AND ${video}.deleted_at < ${before}
    AND NOT EXISTS (SELECT FROM purges WHERE video_id = ${video}.id)
    AND NOT EXISTS (SELECT FROM audit WHERE video_id = ${video}.id)`;
}
