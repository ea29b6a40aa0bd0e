/** How long the rows of transcode's tables are kept. */
import type { Retention } from '@vds/chassis/database/retention';

export const retention: Retention = {
  plans: 'removed with their video or attempt',
  job_results: 'removed with their video or attempt: they name the folders that a ladder consists of',
  ladders: 'one row for each video',
};
