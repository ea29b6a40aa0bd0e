// Original file: vds/common/v1/worker_admin.proto

import type { WorkerJob as _vds_common_v1_WorkerJob, WorkerJobOut as _vds_common_v1_WorkerJobOut } from '../../../vds/common/v1/WorkerJob.ts';

export interface ListJobsReply {
  'jobs'?: (_vds_common_v1_WorkerJob)[];
  /**
   * Empty: there are no more.
   */
  'nextCursor'?: (string);
}

export interface ListJobsReplyOut {
  'jobs': (_vds_common_v1_WorkerJobOut)[];
  /**
   * Empty: there are no more.
   */
  'nextCursor': (string);
}
