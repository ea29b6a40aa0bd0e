/** How long the rows of ingest's tables are kept. */
import type { Retention } from '@vds/chassis/database/retention';

export const retention: Retention = {
  fetches: 'removed with their video or attempt',
  parts: 'removed with the source that they describe',
};
