/** How long the rows of captions' tables are kept. */
import type { Retention } from '@vds/chassis/database/retention';

/** @param jobsKeepMs what was transcribed of a video that failed is kept like its jobs, in milliseconds */
export function retentionOf({ jobsKeepMs }: { readonly jobsKeepMs: number }): Retention {
  return {
    // Rendering removes them; they stay where a transcription failed.
    transcribed_chunks: {
      keepMs: jobsKeepMs,
      expired: (before) => `EXISTS (
        SELECT FROM caption_jobs AS j WHERE (j.video_id, j.attempt) = (t.video_id, t.attempt)
          AND j.in_progress = '{}' AND j.updated_at < ${before})`,
    },
    caption_jobs: 'removed with their video or attempt',
  };
}
