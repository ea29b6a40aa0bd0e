// Original file: vds/catalog/v1/catalog.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AttributeVideoRequest as _vds_catalog_v1_AttributeVideoRequest, AttributeVideoRequestOut as _vds_catalog_v1_AttributeVideoRequestOut } from '../../../vds/catalog/v1/AttributeVideoRequest.ts';
import type { Clip as _vds_catalog_v1_Clip, ClipOut as _vds_catalog_v1_ClipOut } from '../../../vds/catalog/v1/Clip.ts';
import type { CreateVideoReply as _vds_catalog_v1_CreateVideoReply, CreateVideoReplyOut as _vds_catalog_v1_CreateVideoReplyOut } from '../../../vds/catalog/v1/CreateVideoReply.ts';
import type { CreateVideoRequest as _vds_catalog_v1_CreateVideoRequest, CreateVideoRequestOut as _vds_catalog_v1_CreateVideoRequestOut } from '../../../vds/catalog/v1/CreateVideoRequest.ts';
import type { DailyCount as _vds_catalog_v1_DailyCount, DailyCountOut as _vds_catalog_v1_DailyCountOut } from '../../../vds/catalog/v1/DailyCount.ts';
import type { DescribeVideoRequest as _vds_catalog_v1_DescribeVideoRequest, DescribeVideoRequestOut as _vds_catalog_v1_DescribeVideoRequestOut } from '../../../vds/catalog/v1/DescribeVideoRequest.ts';
import type { Description as _vds_catalog_v1_Description, DescriptionOut as _vds_catalog_v1_DescriptionOut } from '../../../vds/catalog/v1/Description.ts';
import type { GetClipRequest as _vds_catalog_v1_GetClipRequest, GetClipRequestOut as _vds_catalog_v1_GetClipRequestOut } from '../../../vds/catalog/v1/GetClipRequest.ts';
import type { GetDailyCountRequest as _vds_catalog_v1_GetDailyCountRequest, GetDailyCountRequestOut as _vds_catalog_v1_GetDailyCountRequestOut } from '../../../vds/catalog/v1/GetDailyCountRequest.ts';
import type { GetIndexableRequest as _vds_catalog_v1_GetIndexableRequest, GetIndexableRequestOut as _vds_catalog_v1_GetIndexableRequestOut } from '../../../vds/catalog/v1/GetIndexableRequest.ts';
import type { GetSourceAddressRequest as _vds_catalog_v1_GetSourceAddressRequest, GetSourceAddressRequestOut as _vds_catalog_v1_GetSourceAddressRequestOut } from '../../../vds/catalog/v1/GetSourceAddressRequest.ts';
import type { Indexable as _vds_catalog_v1_Indexable, IndexableOut as _vds_catalog_v1_IndexableOut } from '../../../vds/catalog/v1/Indexable.ts';
import type { ListVideosInUseReply as _vds_catalog_v1_ListVideosInUseReply, ListVideosInUseReplyOut as _vds_catalog_v1_ListVideosInUseReplyOut } from '../../../vds/catalog/v1/ListVideosInUseReply.ts';
import type { ListVideosInUseRequest as _vds_catalog_v1_ListVideosInUseRequest, ListVideosInUseRequestOut as _vds_catalog_v1_ListVideosInUseRequestOut } from '../../../vds/catalog/v1/ListVideosInUseRequest.ts';
import type { ListVideosReply as _vds_catalog_v1_ListVideosReply, ListVideosReplyOut as _vds_catalog_v1_ListVideosReplyOut } from '../../../vds/catalog/v1/ListVideosReply.ts';
import type { ListVideosRequest as _vds_catalog_v1_ListVideosRequest, ListVideosRequestOut as _vds_catalog_v1_ListVideosRequestOut } from '../../../vds/catalog/v1/ListVideosRequest.ts';
import type { OperationReply as _vds_catalog_v1_OperationReply, OperationReplyOut as _vds_catalog_v1_OperationReplyOut } from '../../../vds/catalog/v1/OperationReply.ts';
import type { ResolvePlaybackRequest as _vds_catalog_v1_ResolvePlaybackRequest, ResolvePlaybackRequestOut as _vds_catalog_v1_ResolvePlaybackRequestOut } from '../../../vds/catalog/v1/ResolvePlaybackRequest.ts';
import type { ResolvedPlayback as _vds_catalog_v1_ResolvedPlayback, ResolvedPlaybackOut as _vds_catalog_v1_ResolvedPlaybackOut } from '../../../vds/catalog/v1/ResolvedPlayback.ts';
import type { SourceAddress as _vds_catalog_v1_SourceAddress, SourceAddressOut as _vds_catalog_v1_SourceAddressOut } from '../../../vds/catalog/v1/SourceAddress.ts';
import type { Video as _vds_catalog_v1_Video, VideoOut as _vds_catalog_v1_VideoOut } from '../../../vds/catalog/v1/Video.ts';
import type { VideoAttribution as _vds_catalog_v1_VideoAttribution, VideoAttributionOut as _vds_catalog_v1_VideoAttributionOut } from '../../../vds/catalog/v1/VideoAttribution.ts';
import type { VideoRequest as _vds_catalog_v1_VideoRequest, VideoRequestOut as _vds_catalog_v1_VideoRequestOut } from '../../../vds/catalog/v1/VideoRequest.ts';

/**
 * Times are RFC 3339, UTC, milliseconds, "Z". Ids are bare: 26 characters, without "vid_".
 */
export interface CatalogServiceClient extends grpc.Client {
  /**
   * FAILED_PRECONDITION with a sentence for the partner where the lifecycle forbids it.
   */
  ArchiveVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  ArchiveVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  ArchiveVideo(argument: _vds_catalog_v1_VideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  ArchiveVideo(argument: _vds_catalog_v1_VideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  /**
   * FAILED_PRECONDITION with a sentence for the partner where the lifecycle forbids it.
   */
  archiveVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  archiveVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  archiveVideo(argument: _vds_catalog_v1_VideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  archiveVideo(argument: _vds_catalog_v1_VideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Whose video it is, deleted or not. NOT_FOUND when there never was one.
   */
  AttributeVideo(argument: _vds_catalog_v1_AttributeVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoAttributionOut>): grpc.ClientUnaryCall;
  AttributeVideo(argument: _vds_catalog_v1_AttributeVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoAttributionOut>): grpc.ClientUnaryCall;
  AttributeVideo(argument: _vds_catalog_v1_AttributeVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoAttributionOut>): grpc.ClientUnaryCall;
  AttributeVideo(argument: _vds_catalog_v1_AttributeVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoAttributionOut>): grpc.ClientUnaryCall;
  /**
   * Whose video it is, deleted or not. NOT_FOUND when there never was one.
   */
  attributeVideo(argument: _vds_catalog_v1_AttributeVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoAttributionOut>): grpc.ClientUnaryCall;
  attributeVideo(argument: _vds_catalog_v1_AttributeVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoAttributionOut>): grpc.ClientUnaryCall;
  attributeVideo(argument: _vds_catalog_v1_AttributeVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoAttributionOut>): grpc.ClientUnaryCall;
  attributeVideo(argument: _vds_catalog_v1_AttributeVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoAttributionOut>): grpc.ClientUnaryCall;
  
  /**
   * Accepts a video and charges the day's budget, in one transaction. The same id again is the same video and one charge.
   */
  CreateVideo(argument: _vds_catalog_v1_CreateVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_CreateVideoReplyOut>): grpc.ClientUnaryCall;
  CreateVideo(argument: _vds_catalog_v1_CreateVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_CreateVideoReplyOut>): grpc.ClientUnaryCall;
  CreateVideo(argument: _vds_catalog_v1_CreateVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_CreateVideoReplyOut>): grpc.ClientUnaryCall;
  CreateVideo(argument: _vds_catalog_v1_CreateVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_CreateVideoReplyOut>): grpc.ClientUnaryCall;
  /**
   * Accepts a video and charges the day's budget, in one transaction. The same id again is the same video and one charge.
   */
  createVideo(argument: _vds_catalog_v1_CreateVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_CreateVideoReplyOut>): grpc.ClientUnaryCall;
  createVideo(argument: _vds_catalog_v1_CreateVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_CreateVideoReplyOut>): grpc.ClientUnaryCall;
  createVideo(argument: _vds_catalog_v1_CreateVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_CreateVideoReplyOut>): grpc.ClientUnaryCall;
  createVideo(argument: _vds_catalog_v1_CreateVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_CreateVideoReplyOut>): grpc.ClientUnaryCall;
  
  DeleteVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  DeleteVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  DeleteVideo(argument: _vds_catalog_v1_VideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  DeleteVideo(argument: _vds_catalog_v1_VideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  deleteVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  deleteVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  deleteVideo(argument: _vds_catalog_v1_VideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  deleteVideo(argument: _vds_catalog_v1_VideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * The partner's description of a video, live or not. NOT_FOUND when absent or deleted.
   */
  DescribeVideo(argument: _vds_catalog_v1_DescribeVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DescriptionOut>): grpc.ClientUnaryCall;
  DescribeVideo(argument: _vds_catalog_v1_DescribeVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_DescriptionOut>): grpc.ClientUnaryCall;
  DescribeVideo(argument: _vds_catalog_v1_DescribeVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DescriptionOut>): grpc.ClientUnaryCall;
  DescribeVideo(argument: _vds_catalog_v1_DescribeVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_DescriptionOut>): grpc.ClientUnaryCall;
  /**
   * The partner's description of a video, live or not. NOT_FOUND when absent or deleted.
   */
  describeVideo(argument: _vds_catalog_v1_DescribeVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DescriptionOut>): grpc.ClientUnaryCall;
  describeVideo(argument: _vds_catalog_v1_DescribeVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_DescriptionOut>): grpc.ClientUnaryCall;
  describeVideo(argument: _vds_catalog_v1_DescribeVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DescriptionOut>): grpc.ClientUnaryCall;
  describeVideo(argument: _vds_catalog_v1_DescribeVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_DescriptionOut>): grpc.ClientUnaryCall;
  
  /**
   * The fields of a live video that the platform's apps show. NOT_FOUND when it is not live.
   */
  GetClip(argument: _vds_catalog_v1_GetClipRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ClipOut>): grpc.ClientUnaryCall;
  GetClip(argument: _vds_catalog_v1_GetClipRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ClipOut>): grpc.ClientUnaryCall;
  GetClip(argument: _vds_catalog_v1_GetClipRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ClipOut>): grpc.ClientUnaryCall;
  GetClip(argument: _vds_catalog_v1_GetClipRequest, callback: grpc.requestCallback<_vds_catalog_v1_ClipOut>): grpc.ClientUnaryCall;
  /**
   * The fields of a live video that the platform's apps show. NOT_FOUND when it is not live.
   */
  getClip(argument: _vds_catalog_v1_GetClipRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ClipOut>): grpc.ClientUnaryCall;
  getClip(argument: _vds_catalog_v1_GetClipRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ClipOut>): grpc.ClientUnaryCall;
  getClip(argument: _vds_catalog_v1_GetClipRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ClipOut>): grpc.ClientUnaryCall;
  getClip(argument: _vds_catalog_v1_GetClipRequest, callback: grpc.requestCallback<_vds_catalog_v1_ClipOut>): grpc.ClientUnaryCall;
  
  GetDailyCount(argument: _vds_catalog_v1_GetDailyCountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DailyCountOut>): grpc.ClientUnaryCall;
  GetDailyCount(argument: _vds_catalog_v1_GetDailyCountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_DailyCountOut>): grpc.ClientUnaryCall;
  GetDailyCount(argument: _vds_catalog_v1_GetDailyCountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DailyCountOut>): grpc.ClientUnaryCall;
  GetDailyCount(argument: _vds_catalog_v1_GetDailyCountRequest, callback: grpc.requestCallback<_vds_catalog_v1_DailyCountOut>): grpc.ClientUnaryCall;
  getDailyCount(argument: _vds_catalog_v1_GetDailyCountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DailyCountOut>): grpc.ClientUnaryCall;
  getDailyCount(argument: _vds_catalog_v1_GetDailyCountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_DailyCountOut>): grpc.ClientUnaryCall;
  getDailyCount(argument: _vds_catalog_v1_GetDailyCountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DailyCountOut>): grpc.ClientUnaryCall;
  getDailyCount(argument: _vds_catalog_v1_GetDailyCountRequest, callback: grpc.requestCallback<_vds_catalog_v1_DailyCountOut>): grpc.ClientUnaryCall;
  
  /**
   * What the search index needs of a video, whatever its state.
   */
  GetIndexable(argument: _vds_catalog_v1_GetIndexableRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_IndexableOut>): grpc.ClientUnaryCall;
  GetIndexable(argument: _vds_catalog_v1_GetIndexableRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_IndexableOut>): grpc.ClientUnaryCall;
  GetIndexable(argument: _vds_catalog_v1_GetIndexableRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_IndexableOut>): grpc.ClientUnaryCall;
  GetIndexable(argument: _vds_catalog_v1_GetIndexableRequest, callback: grpc.requestCallback<_vds_catalog_v1_IndexableOut>): grpc.ClientUnaryCall;
  /**
   * What the search index needs of a video, whatever its state.
   */
  getIndexable(argument: _vds_catalog_v1_GetIndexableRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_IndexableOut>): grpc.ClientUnaryCall;
  getIndexable(argument: _vds_catalog_v1_GetIndexableRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_IndexableOut>): grpc.ClientUnaryCall;
  getIndexable(argument: _vds_catalog_v1_GetIndexableRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_IndexableOut>): grpc.ClientUnaryCall;
  getIndexable(argument: _vds_catalog_v1_GetIndexableRequest, callback: grpc.requestCallback<_vds_catalog_v1_IndexableOut>): grpc.ClientUnaryCall;
  
  /**
   * Where ingest finds the file of a video: it may be a signed address, so no event carries it. NOT_FOUND unless this attempt
   * is processing.
   */
  GetSourceAddress(argument: _vds_catalog_v1_GetSourceAddressRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_SourceAddressOut>): grpc.ClientUnaryCall;
  GetSourceAddress(argument: _vds_catalog_v1_GetSourceAddressRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_SourceAddressOut>): grpc.ClientUnaryCall;
  GetSourceAddress(argument: _vds_catalog_v1_GetSourceAddressRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_SourceAddressOut>): grpc.ClientUnaryCall;
  GetSourceAddress(argument: _vds_catalog_v1_GetSourceAddressRequest, callback: grpc.requestCallback<_vds_catalog_v1_SourceAddressOut>): grpc.ClientUnaryCall;
  /**
   * Where ingest finds the file of a video: it may be a signed address, so no event carries it. NOT_FOUND unless this attempt
   * is processing.
   */
  getSourceAddress(argument: _vds_catalog_v1_GetSourceAddressRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_SourceAddressOut>): grpc.ClientUnaryCall;
  getSourceAddress(argument: _vds_catalog_v1_GetSourceAddressRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_SourceAddressOut>): grpc.ClientUnaryCall;
  getSourceAddress(argument: _vds_catalog_v1_GetSourceAddressRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_SourceAddressOut>): grpc.ClientUnaryCall;
  getSourceAddress(argument: _vds_catalog_v1_GetSourceAddressRequest, callback: grpc.requestCallback<_vds_catalog_v1_SourceAddressOut>): grpc.ClientUnaryCall;
  
  /**
   * NOT_FOUND when absent or of another publisher.
   */
  GetVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoOut>): grpc.ClientUnaryCall;
  GetVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoOut>): grpc.ClientUnaryCall;
  GetVideo(argument: _vds_catalog_v1_VideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoOut>): grpc.ClientUnaryCall;
  GetVideo(argument: _vds_catalog_v1_VideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoOut>): grpc.ClientUnaryCall;
  /**
   * NOT_FOUND when absent or of another publisher.
   */
  getVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoOut>): grpc.ClientUnaryCall;
  getVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoOut>): grpc.ClientUnaryCall;
  getVideo(argument: _vds_catalog_v1_VideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoOut>): grpc.ClientUnaryCall;
  getVideo(argument: _vds_catalog_v1_VideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoOut>): grpc.ClientUnaryCall;
  
  /**
   * Every video by rising version, deleted ones too; for reconciling and reindexing.
   */
  ListVideos(argument: _vds_catalog_v1_ListVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosReplyOut>): grpc.ClientUnaryCall;
  ListVideos(argument: _vds_catalog_v1_ListVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosReplyOut>): grpc.ClientUnaryCall;
  ListVideos(argument: _vds_catalog_v1_ListVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosReplyOut>): grpc.ClientUnaryCall;
  ListVideos(argument: _vds_catalog_v1_ListVideosRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosReplyOut>): grpc.ClientUnaryCall;
  /**
   * Every video by rising version, deleted ones too; for reconciling and reindexing.
   */
  listVideos(argument: _vds_catalog_v1_ListVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosReplyOut>): grpc.ClientUnaryCall;
  listVideos(argument: _vds_catalog_v1_ListVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosReplyOut>): grpc.ClientUnaryCall;
  listVideos(argument: _vds_catalog_v1_ListVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosReplyOut>): grpc.ClientUnaryCall;
  listVideos(argument: _vds_catalog_v1_ListVideosRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Every video by rising version, with what is in use of it in the buckets: for their owners, whose own databases may
   * have been restored to an earlier moment, and on the admin port for the operator.
   */
  ListVideosInUse(argument: _vds_catalog_v1_ListVideosInUseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosInUseReplyOut>): grpc.ClientUnaryCall;
  ListVideosInUse(argument: _vds_catalog_v1_ListVideosInUseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosInUseReplyOut>): grpc.ClientUnaryCall;
  ListVideosInUse(argument: _vds_catalog_v1_ListVideosInUseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosInUseReplyOut>): grpc.ClientUnaryCall;
  ListVideosInUse(argument: _vds_catalog_v1_ListVideosInUseRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosInUseReplyOut>): grpc.ClientUnaryCall;
  /**
   * Every video by rising version, with what is in use of it in the buckets: for their owners, whose own databases may
   * have been restored to an earlier moment, and on the admin port for the operator.
   */
  listVideosInUse(argument: _vds_catalog_v1_ListVideosInUseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosInUseReplyOut>): grpc.ClientUnaryCall;
  listVideosInUse(argument: _vds_catalog_v1_ListVideosInUseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosInUseReplyOut>): grpc.ClientUnaryCall;
  listVideosInUse(argument: _vds_catalog_v1_ListVideosInUseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosInUseReplyOut>): grpc.ClientUnaryCall;
  listVideosInUse(argument: _vds_catalog_v1_ListVideosInUseRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListVideosInUseReplyOut>): grpc.ClientUnaryCall;
  
  RepublishVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  RepublishVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  RepublishVideo(argument: _vds_catalog_v1_VideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  RepublishVideo(argument: _vds_catalog_v1_VideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  republishVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  republishVideo(argument: _vds_catalog_v1_VideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  republishVideo(argument: _vds_catalog_v1_VideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  republishVideo(argument: _vds_catalog_v1_VideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_OperationReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * What playback needs to open or close its gate, and captions and metadata to answer apps. NOT_FOUND for an unknown id.
   */
  ResolvePlayback(argument: _vds_catalog_v1_ResolvePlaybackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ResolvedPlaybackOut>): grpc.ClientUnaryCall;
  ResolvePlayback(argument: _vds_catalog_v1_ResolvePlaybackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ResolvedPlaybackOut>): grpc.ClientUnaryCall;
  ResolvePlayback(argument: _vds_catalog_v1_ResolvePlaybackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ResolvedPlaybackOut>): grpc.ClientUnaryCall;
  ResolvePlayback(argument: _vds_catalog_v1_ResolvePlaybackRequest, callback: grpc.requestCallback<_vds_catalog_v1_ResolvedPlaybackOut>): grpc.ClientUnaryCall;
  /**
   * What playback needs to open or close its gate, and captions and metadata to answer apps. NOT_FOUND for an unknown id.
   */
  resolvePlayback(argument: _vds_catalog_v1_ResolvePlaybackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ResolvedPlaybackOut>): grpc.ClientUnaryCall;
  resolvePlayback(argument: _vds_catalog_v1_ResolvePlaybackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ResolvedPlaybackOut>): grpc.ClientUnaryCall;
  resolvePlayback(argument: _vds_catalog_v1_ResolvePlaybackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ResolvedPlaybackOut>): grpc.ClientUnaryCall;
  resolvePlayback(argument: _vds_catalog_v1_ResolvePlaybackRequest, callback: grpc.requestCallback<_vds_catalog_v1_ResolvedPlaybackOut>): grpc.ClientUnaryCall;
  
}

/**
 * Times are RFC 3339, UTC, milliseconds, "Z". Ids are bare: 26 characters, without "vid_".
 */
export interface CatalogServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * FAILED_PRECONDITION with a sentence for the partner where the lifecycle forbids it.
   */
  ArchiveVideo: grpc.handleUnaryCall<_vds_catalog_v1_VideoRequestOut, _vds_catalog_v1_OperationReply>;
  
  /**
   * Whose video it is, deleted or not. NOT_FOUND when there never was one.
   */
  AttributeVideo: grpc.handleUnaryCall<_vds_catalog_v1_AttributeVideoRequestOut, _vds_catalog_v1_VideoAttribution>;
  
  /**
   * Accepts a video and charges the day's budget, in one transaction. The same id again is the same video and one charge.
   */
  CreateVideo: grpc.handleUnaryCall<_vds_catalog_v1_CreateVideoRequestOut, _vds_catalog_v1_CreateVideoReply>;
  
  DeleteVideo: grpc.handleUnaryCall<_vds_catalog_v1_VideoRequestOut, _vds_catalog_v1_OperationReply>;
  
  /**
   * The partner's description of a video, live or not. NOT_FOUND when absent or deleted.
   */
  DescribeVideo: grpc.handleUnaryCall<_vds_catalog_v1_DescribeVideoRequestOut, _vds_catalog_v1_Description>;
  
  /**
   * The fields of a live video that the platform's apps show. NOT_FOUND when it is not live.
   */
  GetClip: grpc.handleUnaryCall<_vds_catalog_v1_GetClipRequestOut, _vds_catalog_v1_Clip>;
  
  GetDailyCount: grpc.handleUnaryCall<_vds_catalog_v1_GetDailyCountRequestOut, _vds_catalog_v1_DailyCount>;
  
  /**
   * What the search index needs of a video, whatever its state.
   */
  GetIndexable: grpc.handleUnaryCall<_vds_catalog_v1_GetIndexableRequestOut, _vds_catalog_v1_Indexable>;
  
  /**
   * Where ingest finds the file of a video: it may be a signed address, so no event carries it. NOT_FOUND unless this attempt
   * is processing.
   */
  GetSourceAddress: grpc.handleUnaryCall<_vds_catalog_v1_GetSourceAddressRequestOut, _vds_catalog_v1_SourceAddress>;
  
  /**
   * NOT_FOUND when absent or of another publisher.
   */
  GetVideo: grpc.handleUnaryCall<_vds_catalog_v1_VideoRequestOut, _vds_catalog_v1_Video>;
  
  /**
   * Every video by rising version, deleted ones too; for reconciling and reindexing.
   */
  ListVideos: grpc.handleUnaryCall<_vds_catalog_v1_ListVideosRequestOut, _vds_catalog_v1_ListVideosReply>;
  
  /**
   * Every video by rising version, with what is in use of it in the buckets: for their owners, whose own databases may
   * have been restored to an earlier moment, and on the admin port for the operator.
   */
  ListVideosInUse: grpc.handleUnaryCall<_vds_catalog_v1_ListVideosInUseRequestOut, _vds_catalog_v1_ListVideosInUseReply>;
  
  RepublishVideo: grpc.handleUnaryCall<_vds_catalog_v1_VideoRequestOut, _vds_catalog_v1_OperationReply>;
  
  /**
   * What playback needs to open or close its gate, and captions and metadata to answer apps. NOT_FOUND for an unknown id.
   */
  ResolvePlayback: grpc.handleUnaryCall<_vds_catalog_v1_ResolvePlaybackRequestOut, _vds_catalog_v1_ResolvedPlayback>;
  
}

export interface CatalogServiceDefinition extends grpc.ServiceDefinition {
  ArchiveVideo: MethodDefinition<_vds_catalog_v1_VideoRequest, _vds_catalog_v1_OperationReply, _vds_catalog_v1_VideoRequestOut, _vds_catalog_v1_OperationReplyOut>
  AttributeVideo: MethodDefinition<_vds_catalog_v1_AttributeVideoRequest, _vds_catalog_v1_VideoAttribution, _vds_catalog_v1_AttributeVideoRequestOut, _vds_catalog_v1_VideoAttributionOut>
  CreateVideo: MethodDefinition<_vds_catalog_v1_CreateVideoRequest, _vds_catalog_v1_CreateVideoReply, _vds_catalog_v1_CreateVideoRequestOut, _vds_catalog_v1_CreateVideoReplyOut>
  DeleteVideo: MethodDefinition<_vds_catalog_v1_VideoRequest, _vds_catalog_v1_OperationReply, _vds_catalog_v1_VideoRequestOut, _vds_catalog_v1_OperationReplyOut>
  DescribeVideo: MethodDefinition<_vds_catalog_v1_DescribeVideoRequest, _vds_catalog_v1_Description, _vds_catalog_v1_DescribeVideoRequestOut, _vds_catalog_v1_DescriptionOut>
  GetClip: MethodDefinition<_vds_catalog_v1_GetClipRequest, _vds_catalog_v1_Clip, _vds_catalog_v1_GetClipRequestOut, _vds_catalog_v1_ClipOut>
  GetDailyCount: MethodDefinition<_vds_catalog_v1_GetDailyCountRequest, _vds_catalog_v1_DailyCount, _vds_catalog_v1_GetDailyCountRequestOut, _vds_catalog_v1_DailyCountOut>
  GetIndexable: MethodDefinition<_vds_catalog_v1_GetIndexableRequest, _vds_catalog_v1_Indexable, _vds_catalog_v1_GetIndexableRequestOut, _vds_catalog_v1_IndexableOut>
  GetSourceAddress: MethodDefinition<_vds_catalog_v1_GetSourceAddressRequest, _vds_catalog_v1_SourceAddress, _vds_catalog_v1_GetSourceAddressRequestOut, _vds_catalog_v1_SourceAddressOut>
  GetVideo: MethodDefinition<_vds_catalog_v1_VideoRequest, _vds_catalog_v1_Video, _vds_catalog_v1_VideoRequestOut, _vds_catalog_v1_VideoOut>
  ListVideos: MethodDefinition<_vds_catalog_v1_ListVideosRequest, _vds_catalog_v1_ListVideosReply, _vds_catalog_v1_ListVideosRequestOut, _vds_catalog_v1_ListVideosReplyOut>
  ListVideosInUse: MethodDefinition<_vds_catalog_v1_ListVideosInUseRequest, _vds_catalog_v1_ListVideosInUseReply, _vds_catalog_v1_ListVideosInUseRequestOut, _vds_catalog_v1_ListVideosInUseReplyOut>
  RepublishVideo: MethodDefinition<_vds_catalog_v1_VideoRequest, _vds_catalog_v1_OperationReply, _vds_catalog_v1_VideoRequestOut, _vds_catalog_v1_OperationReplyOut>
  ResolvePlayback: MethodDefinition<_vds_catalog_v1_ResolvePlaybackRequest, _vds_catalog_v1_ResolvedPlayback, _vds_catalog_v1_ResolvePlaybackRequestOut, _vds_catalog_v1_ResolvedPlaybackOut>
}
