import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { Track as _vds_captions_v1_Track, TrackOut as _vds_captions_v1_TrackOut } from './vds/captions/v1/Track.ts';
import type { TrackState as _vds_captions_v1_TrackState, TrackStateOut as _vds_captions_v1_TrackStateOut } from './vds/captions/v1/TrackState.ts';
import type { ActionPreview as _vds_catalog_v1_ActionPreview, ActionPreviewOut as _vds_catalog_v1_ActionPreviewOut } from './vds/catalog/v1/ActionPreview.ts';
import type { AdminVideoRequest as _vds_catalog_v1_AdminVideoRequest, AdminVideoRequestOut as _vds_catalog_v1_AdminVideoRequestOut } from './vds/catalog/v1/AdminVideoRequest.ts';
import type { AttributeVideoRequest as _vds_catalog_v1_AttributeVideoRequest, AttributeVideoRequestOut as _vds_catalog_v1_AttributeVideoRequestOut } from './vds/catalog/v1/AttributeVideoRequest.ts';
import type { AuditEntry as _vds_catalog_v1_AuditEntry, AuditEntryOut as _vds_catalog_v1_AuditEntryOut } from './vds/catalog/v1/AuditEntry.ts';
import type { Budgets as _vds_catalog_v1_Budgets, BudgetsOut as _vds_catalog_v1_BudgetsOut } from './vds/catalog/v1/Budgets.ts';
import type { CaptionTrack as _vds_catalog_v1_CaptionTrack, CaptionTrackOut as _vds_catalog_v1_CaptionTrackOut } from './vds/catalog/v1/CaptionTrack.ts';
import type { CatalogAdminClient as _vds_catalog_v1_CatalogAdminClient, CatalogAdminDefinition as _vds_catalog_v1_CatalogAdminDefinition } from './vds/catalog/v1/CatalogAdmin.ts';
import type { CatalogServiceClient as _vds_catalog_v1_CatalogServiceClient, CatalogServiceDefinition as _vds_catalog_v1_CatalogServiceDefinition } from './vds/catalog/v1/CatalogService.ts';
import type { CatalogVideoInUse as _vds_catalog_v1_CatalogVideoInUse, CatalogVideoInUseOut as _vds_catalog_v1_CatalogVideoInUseOut } from './vds/catalog/v1/CatalogVideoInUse.ts';
import type { Clip as _vds_catalog_v1_Clip, ClipOut as _vds_catalog_v1_ClipOut } from './vds/catalog/v1/Clip.ts';
import type { CreateVideoReply as _vds_catalog_v1_CreateVideoReply, CreateVideoReplyOut as _vds_catalog_v1_CreateVideoReplyOut } from './vds/catalog/v1/CreateVideoReply.ts';
import type { CreateVideoRequest as _vds_catalog_v1_CreateVideoRequest, CreateVideoRequestOut as _vds_catalog_v1_CreateVideoRequestOut } from './vds/catalog/v1/CreateVideoRequest.ts';
import type { DailyCount as _vds_catalog_v1_DailyCount, DailyCountOut as _vds_catalog_v1_DailyCountOut } from './vds/catalog/v1/DailyCount.ts';
import type { DailyUse as _vds_catalog_v1_DailyUse, DailyUseOut as _vds_catalog_v1_DailyUseOut } from './vds/catalog/v1/DailyUse.ts';
import type { DescribeVideoRequest as _vds_catalog_v1_DescribeVideoRequest, DescribeVideoRequestOut as _vds_catalog_v1_DescribeVideoRequestOut } from './vds/catalog/v1/DescribeVideoRequest.ts';
import type { Description as _vds_catalog_v1_Description, DescriptionOut as _vds_catalog_v1_DescriptionOut } from './vds/catalog/v1/Description.ts';
import type { Failure as _vds_catalog_v1_Failure, FailureOut as _vds_catalog_v1_FailureOut } from './vds/catalog/v1/Failure.ts';
import type { Finding as _vds_catalog_v1_Finding, FindingOut as _vds_catalog_v1_FindingOut } from './vds/catalog/v1/Finding.ts';
import type { GetBudgetsRequest as _vds_catalog_v1_GetBudgetsRequest, GetBudgetsRequestOut as _vds_catalog_v1_GetBudgetsRequestOut } from './vds/catalog/v1/GetBudgetsRequest.ts';
import type { GetClipRequest as _vds_catalog_v1_GetClipRequest, GetClipRequestOut as _vds_catalog_v1_GetClipRequestOut } from './vds/catalog/v1/GetClipRequest.ts';
import type { GetDailyCountRequest as _vds_catalog_v1_GetDailyCountRequest, GetDailyCountRequestOut as _vds_catalog_v1_GetDailyCountRequestOut } from './vds/catalog/v1/GetDailyCountRequest.ts';
import type { GetDailyUseRequest as _vds_catalog_v1_GetDailyUseRequest, GetDailyUseRequestOut as _vds_catalog_v1_GetDailyUseRequestOut } from './vds/catalog/v1/GetDailyUseRequest.ts';
import type { GetIndexableRequest as _vds_catalog_v1_GetIndexableRequest, GetIndexableRequestOut as _vds_catalog_v1_GetIndexableRequestOut } from './vds/catalog/v1/GetIndexableRequest.ts';
import type { GetSourceAddressRequest as _vds_catalog_v1_GetSourceAddressRequest, GetSourceAddressRequestOut as _vds_catalog_v1_GetSourceAddressRequestOut } from './vds/catalog/v1/GetSourceAddressRequest.ts';
import type { History as _vds_catalog_v1_History, HistoryOut as _vds_catalog_v1_HistoryOut } from './vds/catalog/v1/History.ts';
import type { HistoryEntry as _vds_catalog_v1_HistoryEntry, HistoryEntryOut as _vds_catalog_v1_HistoryEntryOut } from './vds/catalog/v1/HistoryEntry.ts';
import type { IndexReport as _vds_catalog_v1_IndexReport, IndexReportOut as _vds_catalog_v1_IndexReportOut } from './vds/catalog/v1/IndexReport.ts';
import type { Indexable as _vds_catalog_v1_Indexable, IndexableOut as _vds_catalog_v1_IndexableOut } from './vds/catalog/v1/Indexable.ts';
import type { ListAuditReply as _vds_catalog_v1_ListAuditReply, ListAuditReplyOut as _vds_catalog_v1_ListAuditReplyOut } from './vds/catalog/v1/ListAuditReply.ts';
import type { ListAuditRequest as _vds_catalog_v1_ListAuditRequest, ListAuditRequestOut as _vds_catalog_v1_ListAuditRequestOut } from './vds/catalog/v1/ListAuditRequest.ts';
import type { ListPublisherVideosReply as _vds_catalog_v1_ListPublisherVideosReply, ListPublisherVideosReplyOut as _vds_catalog_v1_ListPublisherVideosReplyOut } from './vds/catalog/v1/ListPublisherVideosReply.ts';
import type { ListPublisherVideosRequest as _vds_catalog_v1_ListPublisherVideosRequest, ListPublisherVideosRequestOut as _vds_catalog_v1_ListPublisherVideosRequestOut } from './vds/catalog/v1/ListPublisherVideosRequest.ts';
import type { ListUsageReply as _vds_catalog_v1_ListUsageReply, ListUsageReplyOut as _vds_catalog_v1_ListUsageReplyOut } from './vds/catalog/v1/ListUsageReply.ts';
import type { ListUsageRequest as _vds_catalog_v1_ListUsageRequest, ListUsageRequestOut as _vds_catalog_v1_ListUsageRequestOut } from './vds/catalog/v1/ListUsageRequest.ts';
import type { ListVideosInUseReply as _vds_catalog_v1_ListVideosInUseReply, ListVideosInUseReplyOut as _vds_catalog_v1_ListVideosInUseReplyOut } from './vds/catalog/v1/ListVideosInUseReply.ts';
import type { ListVideosInUseRequest as _vds_catalog_v1_ListVideosInUseRequest, ListVideosInUseRequestOut as _vds_catalog_v1_ListVideosInUseRequestOut } from './vds/catalog/v1/ListVideosInUseRequest.ts';
import type { ListVideosReply as _vds_catalog_v1_ListVideosReply, ListVideosReplyOut as _vds_catalog_v1_ListVideosReplyOut } from './vds/catalog/v1/ListVideosReply.ts';
import type { ListVideosRequest as _vds_catalog_v1_ListVideosRequest, ListVideosRequestOut as _vds_catalog_v1_ListVideosRequestOut } from './vds/catalog/v1/ListVideosRequest.ts';
import type { ListedVideo as _vds_catalog_v1_ListedVideo, ListedVideoOut as _vds_catalog_v1_ListedVideoOut } from './vds/catalog/v1/ListedVideo.ts';
import type { MonthlyUsage as _vds_catalog_v1_MonthlyUsage, MonthlyUsageOut as _vds_catalog_v1_MonthlyUsageOut } from './vds/catalog/v1/MonthlyUsage.ts';
import type { OperationReply as _vds_catalog_v1_OperationReply, OperationReplyOut as _vds_catalog_v1_OperationReplyOut } from './vds/catalog/v1/OperationReply.ts';
import type { OwnerReport as _vds_catalog_v1_OwnerReport, OwnerReportOut as _vds_catalog_v1_OwnerReportOut } from './vds/catalog/v1/OwnerReport.ts';
import type { PublisherUsage as _vds_catalog_v1_PublisherUsage, PublisherUsageOut as _vds_catalog_v1_PublisherUsageOut } from './vds/catalog/v1/PublisherUsage.ts';
import type { PublisherVideo as _vds_catalog_v1_PublisherVideo, PublisherVideoOut as _vds_catalog_v1_PublisherVideoOut } from './vds/catalog/v1/PublisherVideo.ts';
import type { ReconcileReply as _vds_catalog_v1_ReconcileReply, ReconcileReplyOut as _vds_catalog_v1_ReconcileReplyOut } from './vds/catalog/v1/ReconcileReply.ts';
import type { ReconcileRequest as _vds_catalog_v1_ReconcileRequest, ReconcileRequestOut as _vds_catalog_v1_ReconcileRequestOut } from './vds/catalog/v1/ReconcileRequest.ts';
import type { ReportedVideo as _vds_catalog_v1_ReportedVideo, ReportedVideoOut as _vds_catalog_v1_ReportedVideoOut } from './vds/catalog/v1/ReportedVideo.ts';
import type { RerunStageRequest as _vds_catalog_v1_RerunStageRequest, RerunStageRequestOut as _vds_catalog_v1_RerunStageRequestOut } from './vds/catalog/v1/RerunStageRequest.ts';
import type { ResolvePlaybackRequest as _vds_catalog_v1_ResolvePlaybackRequest, ResolvePlaybackRequestOut as _vds_catalog_v1_ResolvePlaybackRequestOut } from './vds/catalog/v1/ResolvePlaybackRequest.ts';
import type { ResolvedPlayback as _vds_catalog_v1_ResolvedPlayback, ResolvedPlaybackOut as _vds_catalog_v1_ResolvedPlaybackOut } from './vds/catalog/v1/ResolvedPlayback.ts';
import type { SetBudgetsRequest as _vds_catalog_v1_SetBudgetsRequest, SetBudgetsRequestOut as _vds_catalog_v1_SetBudgetsRequestOut } from './vds/catalog/v1/SetBudgetsRequest.ts';
import type { SourceAddress as _vds_catalog_v1_SourceAddress, SourceAddressOut as _vds_catalog_v1_SourceAddressOut } from './vds/catalog/v1/SourceAddress.ts';
import type { SourceWarning as _vds_catalog_v1_SourceWarning, SourceWarningOut as _vds_catalog_v1_SourceWarningOut } from './vds/catalog/v1/SourceWarning.ts';
import type { StageStatus as _vds_catalog_v1_StageStatus, StageStatusOut as _vds_catalog_v1_StageStatusOut } from './vds/catalog/v1/StageStatus.ts';
import type { Video as _vds_catalog_v1_Video, VideoOut as _vds_catalog_v1_VideoOut } from './vds/catalog/v1/Video.ts';
import type { VideoAttribution as _vds_catalog_v1_VideoAttribution, VideoAttributionOut as _vds_catalog_v1_VideoAttributionOut } from './vds/catalog/v1/VideoAttribution.ts';
import type { VideoDetails as _vds_catalog_v1_VideoDetails, VideoDetailsOut as _vds_catalog_v1_VideoDetailsOut } from './vds/catalog/v1/VideoDetails.ts';
import type { VideoRequest as _vds_catalog_v1_VideoRequest, VideoRequestOut as _vds_catalog_v1_VideoRequestOut } from './vds/catalog/v1/VideoRequest.ts';
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
    captions: {
      v1: {
        Track: MessageTypeDefinition<_vds_captions_v1_Track, _vds_captions_v1_TrackOut>
        TrackState: MessageTypeDefinition<_vds_captions_v1_TrackState, _vds_captions_v1_TrackStateOut>
      }
    }
    catalog: {
      v1: {
        ActionPreview: MessageTypeDefinition<_vds_catalog_v1_ActionPreview, _vds_catalog_v1_ActionPreviewOut>
        AdminVideoRequest: MessageTypeDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_AdminVideoRequestOut>
        AttributeVideoRequest: MessageTypeDefinition<_vds_catalog_v1_AttributeVideoRequest, _vds_catalog_v1_AttributeVideoRequestOut>
        AuditEntry: MessageTypeDefinition<_vds_catalog_v1_AuditEntry, _vds_catalog_v1_AuditEntryOut>
        Budgets: MessageTypeDefinition<_vds_catalog_v1_Budgets, _vds_catalog_v1_BudgetsOut>
        CaptionTrack: MessageTypeDefinition<_vds_catalog_v1_CaptionTrack, _vds_catalog_v1_CaptionTrackOut>
        /**
         * The operator's commands; served on the admin port only.
         */
        CatalogAdmin: SubtypeConstructor<typeof grpc.Client, _vds_catalog_v1_CatalogAdminClient> & { service: _vds_catalog_v1_CatalogAdminDefinition }
        /**
         * Times are RFC 3339, UTC, milliseconds, "Z". Ids are bare: 26 characters, without "vid_".
         */
        CatalogService: SubtypeConstructor<typeof grpc.Client, _vds_catalog_v1_CatalogServiceClient> & { service: _vds_catalog_v1_CatalogServiceDefinition }
        CatalogVideoInUse: MessageTypeDefinition<_vds_catalog_v1_CatalogVideoInUse, _vds_catalog_v1_CatalogVideoInUseOut>
        Clip: MessageTypeDefinition<_vds_catalog_v1_Clip, _vds_catalog_v1_ClipOut>
        CreateVideoReply: MessageTypeDefinition<_vds_catalog_v1_CreateVideoReply, _vds_catalog_v1_CreateVideoReplyOut>
        CreateVideoRequest: MessageTypeDefinition<_vds_catalog_v1_CreateVideoRequest, _vds_catalog_v1_CreateVideoRequestOut>
        DailyCount: MessageTypeDefinition<_vds_catalog_v1_DailyCount, _vds_catalog_v1_DailyCountOut>
        DailyUse: MessageTypeDefinition<_vds_catalog_v1_DailyUse, _vds_catalog_v1_DailyUseOut>
        DescribeVideoRequest: MessageTypeDefinition<_vds_catalog_v1_DescribeVideoRequest, _vds_catalog_v1_DescribeVideoRequestOut>
        Description: MessageTypeDefinition<_vds_catalog_v1_Description, _vds_catalog_v1_DescriptionOut>
        Failure: MessageTypeDefinition<_vds_catalog_v1_Failure, _vds_catalog_v1_FailureOut>
        Finding: MessageTypeDefinition<_vds_catalog_v1_Finding, _vds_catalog_v1_FindingOut>
        GetBudgetsRequest: MessageTypeDefinition<_vds_catalog_v1_GetBudgetsRequest, _vds_catalog_v1_GetBudgetsRequestOut>
        GetClipRequest: MessageTypeDefinition<_vds_catalog_v1_GetClipRequest, _vds_catalog_v1_GetClipRequestOut>
        GetDailyCountRequest: MessageTypeDefinition<_vds_catalog_v1_GetDailyCountRequest, _vds_catalog_v1_GetDailyCountRequestOut>
        GetDailyUseRequest: MessageTypeDefinition<_vds_catalog_v1_GetDailyUseRequest, _vds_catalog_v1_GetDailyUseRequestOut>
        GetIndexableRequest: MessageTypeDefinition<_vds_catalog_v1_GetIndexableRequest, _vds_catalog_v1_GetIndexableRequestOut>
        GetSourceAddressRequest: MessageTypeDefinition<_vds_catalog_v1_GetSourceAddressRequest, _vds_catalog_v1_GetSourceAddressRequestOut>
        History: MessageTypeDefinition<_vds_catalog_v1_History, _vds_catalog_v1_HistoryOut>
        HistoryEntry: MessageTypeDefinition<_vds_catalog_v1_HistoryEntry, _vds_catalog_v1_HistoryEntryOut>
        IndexReport: MessageTypeDefinition<_vds_catalog_v1_IndexReport, _vds_catalog_v1_IndexReportOut>
        Indexable: MessageTypeDefinition<_vds_catalog_v1_Indexable, _vds_catalog_v1_IndexableOut>
        ListAuditReply: MessageTypeDefinition<_vds_catalog_v1_ListAuditReply, _vds_catalog_v1_ListAuditReplyOut>
        ListAuditRequest: MessageTypeDefinition<_vds_catalog_v1_ListAuditRequest, _vds_catalog_v1_ListAuditRequestOut>
        ListPublisherVideosReply: MessageTypeDefinition<_vds_catalog_v1_ListPublisherVideosReply, _vds_catalog_v1_ListPublisherVideosReplyOut>
        ListPublisherVideosRequest: MessageTypeDefinition<_vds_catalog_v1_ListPublisherVideosRequest, _vds_catalog_v1_ListPublisherVideosRequestOut>
        ListUsageReply: MessageTypeDefinition<_vds_catalog_v1_ListUsageReply, _vds_catalog_v1_ListUsageReplyOut>
        ListUsageRequest: MessageTypeDefinition<_vds_catalog_v1_ListUsageRequest, _vds_catalog_v1_ListUsageRequestOut>
        ListVideosInUseReply: MessageTypeDefinition<_vds_catalog_v1_ListVideosInUseReply, _vds_catalog_v1_ListVideosInUseReplyOut>
        ListVideosInUseRequest: MessageTypeDefinition<_vds_catalog_v1_ListVideosInUseRequest, _vds_catalog_v1_ListVideosInUseRequestOut>
        ListVideosReply: MessageTypeDefinition<_vds_catalog_v1_ListVideosReply, _vds_catalog_v1_ListVideosReplyOut>
        ListVideosRequest: MessageTypeDefinition<_vds_catalog_v1_ListVideosRequest, _vds_catalog_v1_ListVideosRequestOut>
        ListedVideo: MessageTypeDefinition<_vds_catalog_v1_ListedVideo, _vds_catalog_v1_ListedVideoOut>
        MonthlyUsage: MessageTypeDefinition<_vds_catalog_v1_MonthlyUsage, _vds_catalog_v1_MonthlyUsageOut>
        OperationReply: MessageTypeDefinition<_vds_catalog_v1_OperationReply, _vds_catalog_v1_OperationReplyOut>
        OwnerReport: MessageTypeDefinition<_vds_catalog_v1_OwnerReport, _vds_catalog_v1_OwnerReportOut>
        PublisherUsage: MessageTypeDefinition<_vds_catalog_v1_PublisherUsage, _vds_catalog_v1_PublisherUsageOut>
        PublisherVideo: MessageTypeDefinition<_vds_catalog_v1_PublisherVideo, _vds_catalog_v1_PublisherVideoOut>
        ReconcileReply: MessageTypeDefinition<_vds_catalog_v1_ReconcileReply, _vds_catalog_v1_ReconcileReplyOut>
        ReconcileRequest: MessageTypeDefinition<_vds_catalog_v1_ReconcileRequest, _vds_catalog_v1_ReconcileRequestOut>
        ReportedVideo: MessageTypeDefinition<_vds_catalog_v1_ReportedVideo, _vds_catalog_v1_ReportedVideoOut>
        RerunStageRequest: MessageTypeDefinition<_vds_catalog_v1_RerunStageRequest, _vds_catalog_v1_RerunStageRequestOut>
        ResolvePlaybackRequest: MessageTypeDefinition<_vds_catalog_v1_ResolvePlaybackRequest, _vds_catalog_v1_ResolvePlaybackRequestOut>
        ResolvedPlayback: MessageTypeDefinition<_vds_catalog_v1_ResolvedPlayback, _vds_catalog_v1_ResolvedPlaybackOut>
        SetBudgetsRequest: MessageTypeDefinition<_vds_catalog_v1_SetBudgetsRequest, _vds_catalog_v1_SetBudgetsRequestOut>
        SourceAddress: MessageTypeDefinition<_vds_catalog_v1_SourceAddress, _vds_catalog_v1_SourceAddressOut>
        SourceWarning: MessageTypeDefinition<_vds_catalog_v1_SourceWarning, _vds_catalog_v1_SourceWarningOut>
        StageStatus: MessageTypeDefinition<_vds_catalog_v1_StageStatus, _vds_catalog_v1_StageStatusOut>
        Video: MessageTypeDefinition<_vds_catalog_v1_Video, _vds_catalog_v1_VideoOut>
        VideoAttribution: MessageTypeDefinition<_vds_catalog_v1_VideoAttribution, _vds_catalog_v1_VideoAttributionOut>
        VideoDetails: MessageTypeDefinition<_vds_catalog_v1_VideoDetails, _vds_catalog_v1_VideoDetailsOut>
        VideoRequest: MessageTypeDefinition<_vds_catalog_v1_VideoRequest, _vds_catalog_v1_VideoRequestOut>
        VideoState: EnumTypeDefinition
      }
    }
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

