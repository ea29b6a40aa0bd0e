/** How long the rows of analytics are kept. Events are files: see files-store. */
import type { Retention } from '@vds/chassis/database/retention';

export const retention: Retention = {
  replaced_files: 'removed with the file, a quarter of an hour after it was replaced',
};
