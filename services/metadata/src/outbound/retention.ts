/** How long the rows of metadata's tables are kept. */
import type { Retention } from '@vds/chassis/database/retention';

/** @param jobsKeepMs documents of earlier revisions are kept like the jobs that wrote them, in milliseconds */
export function retentionOf({ jobsKeepMs }: { readonly jobsKeepMs: number }): Retention {
  return {
    revisions: {
      keepMs: jobsKeepMs,
      expired: (before) => `created_at < ${before} AND EXISTS (
        SELECT FROM revisions AS newer WHERE (newer.video_id, newer.attempt) = (t.video_id, t.attempt)
          AND newer.revision > t.revision)`,
    },
    analyses: 'removed with their video or attempt: each revision is written from them',
  };
}
