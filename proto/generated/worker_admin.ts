import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { DescribeVideosReply as _vds_common_v1_DescribeVideosReply, DescribeVideosReplyOut as _vds_common_v1_DescribeVideosReplyOut } from './vds/common/v1/DescribeVideosReply.ts';
import type { DescribeVideosRequest as _vds_common_v1_DescribeVideosRequest, DescribeVideosRequestOut as _vds_common_v1_DescribeVideosRequestOut } from './vds/common/v1/DescribeVideosRequest.ts';
import type { JobPhase as _vds_common_v1_JobPhase, JobPhaseOut as _vds_common_v1_JobPhaseOut } from './vds/common/v1/JobPhase.ts';
import type { ListJobsReply as _vds_common_v1_ListJobsReply, ListJobsReplyOut as _vds_common_v1_ListJobsReplyOut } from './vds/common/v1/ListJobsReply.ts';
import type { ListJobsRequest as _vds_common_v1_ListJobsRequest, ListJobsRequestOut as _vds_common_v1_ListJobsRequestOut } from './vds/common/v1/ListJobsRequest.ts';
import type { ListKnownVideosReply as _vds_common_v1_ListKnownVideosReply, ListKnownVideosReplyOut as _vds_common_v1_ListKnownVideosReplyOut } from './vds/common/v1/ListKnownVideosReply.ts';
import type { ListKnownVideosRequest as _vds_common_v1_ListKnownVideosRequest, ListKnownVideosRequestOut as _vds_common_v1_ListKnownVideosRequestOut } from './vds/common/v1/ListKnownVideosRequest.ts';
import type { StageReport as _vds_common_v1_StageReport, StageReportOut as _vds_common_v1_StageReportOut } from './vds/common/v1/StageReport.ts';
import type { UnreadableDocument as _vds_common_v1_UnreadableDocument, UnreadableDocumentOut as _vds_common_v1_UnreadableDocumentOut } from './vds/common/v1/UnreadableDocument.ts';
import type { VideoInUse as _vds_common_v1_VideoInUse, VideoInUseOut as _vds_common_v1_VideoInUseOut } from './vds/common/v1/VideoInUse.ts';
import type { VideoReport as _vds_common_v1_VideoReport, VideoReportOut as _vds_common_v1_VideoReportOut } from './vds/common/v1/VideoReport.ts';
import type { WorkerAdminClient as _vds_common_v1_WorkerAdminClient, WorkerAdminDefinition as _vds_common_v1_WorkerAdminDefinition } from './vds/common/v1/WorkerAdmin.ts';
import type { WorkerJob as _vds_common_v1_WorkerJob, WorkerJobOut as _vds_common_v1_WorkerJobOut } from './vds/common/v1/WorkerJob.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    common: {
      v1: {
        DescribeVideosReply: MessageTypeDefinition<_vds_common_v1_DescribeVideosReply, _vds_common_v1_DescribeVideosReplyOut>
        DescribeVideosRequest: MessageTypeDefinition<_vds_common_v1_DescribeVideosRequest, _vds_common_v1_DescribeVideosRequestOut>
        JobPhase: MessageTypeDefinition<_vds_common_v1_JobPhase, _vds_common_v1_JobPhaseOut>
        ListJobsReply: MessageTypeDefinition<_vds_common_v1_ListJobsReply, _vds_common_v1_ListJobsReplyOut>
        ListJobsRequest: MessageTypeDefinition<_vds_common_v1_ListJobsRequest, _vds_common_v1_ListJobsRequestOut>
        ListKnownVideosReply: MessageTypeDefinition<_vds_common_v1_ListKnownVideosReply, _vds_common_v1_ListKnownVideosReplyOut>
        ListKnownVideosRequest: MessageTypeDefinition<_vds_common_v1_ListKnownVideosRequest, _vds_common_v1_ListKnownVideosRequestOut>
        StageReport: MessageTypeDefinition<_vds_common_v1_StageReport, _vds_common_v1_StageReportOut>
        UnreadableDocument: MessageTypeDefinition<_vds_common_v1_UnreadableDocument, _vds_common_v1_UnreadableDocumentOut>
        VideoInUse: MessageTypeDefinition<_vds_common_v1_VideoInUse, _vds_common_v1_VideoInUseOut>
        VideoReport: MessageTypeDefinition<_vds_common_v1_VideoReport, _vds_common_v1_VideoReportOut>
        /**
         * What every service with stages serves on its admin port, for `vdsctl reconcile` and `vdsctl jobs`. It only reports;
         * catalog, which schedules the stages, compares and repairs.
         */
        WorkerAdmin: SubtypeConstructor<typeof grpc.Client, _vds_common_v1_WorkerAdminClient> & { service: _vds_common_v1_WorkerAdminDefinition }
        WorkerJob: MessageTypeDefinition<_vds_common_v1_WorkerJob, _vds_common_v1_WorkerJobOut>
      }
    }
  }
}

