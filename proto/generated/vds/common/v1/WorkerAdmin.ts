// Original file: vds/common/v1/worker_admin.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DescribeVideosReply as _vds_common_v1_DescribeVideosReply, DescribeVideosReplyOut as _vds_common_v1_DescribeVideosReplyOut } from '../../../vds/common/v1/DescribeVideosReply.ts';
import type { DescribeVideosRequest as _vds_common_v1_DescribeVideosRequest, DescribeVideosRequestOut as _vds_common_v1_DescribeVideosRequestOut } from '../../../vds/common/v1/DescribeVideosRequest.ts';
import type { ListJobsReply as _vds_common_v1_ListJobsReply, ListJobsReplyOut as _vds_common_v1_ListJobsReplyOut } from '../../../vds/common/v1/ListJobsReply.ts';
import type { ListJobsRequest as _vds_common_v1_ListJobsRequest, ListJobsRequestOut as _vds_common_v1_ListJobsRequestOut } from '../../../vds/common/v1/ListJobsRequest.ts';
import type { ListKnownVideosReply as _vds_common_v1_ListKnownVideosReply, ListKnownVideosReplyOut as _vds_common_v1_ListKnownVideosReplyOut } from '../../../vds/common/v1/ListKnownVideosReply.ts';
import type { ListKnownVideosRequest as _vds_common_v1_ListKnownVideosRequest, ListKnownVideosRequestOut as _vds_common_v1_ListKnownVideosRequestOut } from '../../../vds/common/v1/ListKnownVideosRequest.ts';

/**
 * What every service with stages serves on its admin port, for `vdsctl reconcile` and `vdsctl jobs`. It only reports;
 * catalog, which schedules the stages, compares and repairs.
 */
export interface WorkerAdminClient extends grpc.Client {
  /**
   * What the service keeps of some videos.
   */
  DescribeVideos(argument: _vds_common_v1_DescribeVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DescribeVideosReplyOut>): grpc.ClientUnaryCall;
  DescribeVideos(argument: _vds_common_v1_DescribeVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_DescribeVideosReplyOut>): grpc.ClientUnaryCall;
  DescribeVideos(argument: _vds_common_v1_DescribeVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DescribeVideosReplyOut>): grpc.ClientUnaryCall;
  DescribeVideos(argument: _vds_common_v1_DescribeVideosRequest, callback: grpc.requestCallback<_vds_common_v1_DescribeVideosReplyOut>): grpc.ClientUnaryCall;
  /**
   * What the service keeps of some videos.
   */
  describeVideos(argument: _vds_common_v1_DescribeVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DescribeVideosReplyOut>): grpc.ClientUnaryCall;
  describeVideos(argument: _vds_common_v1_DescribeVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_DescribeVideosReplyOut>): grpc.ClientUnaryCall;
  describeVideos(argument: _vds_common_v1_DescribeVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DescribeVideosReplyOut>): grpc.ClientUnaryCall;
  describeVideos(argument: _vds_common_v1_DescribeVideosRequest, callback: grpc.requestCallback<_vds_common_v1_DescribeVideosReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Jobs, oldest first.
   */
  ListJobs(argument: _vds_common_v1_ListJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListJobsReplyOut>): grpc.ClientUnaryCall;
  ListJobs(argument: _vds_common_v1_ListJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_ListJobsReplyOut>): grpc.ClientUnaryCall;
  ListJobs(argument: _vds_common_v1_ListJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListJobsReplyOut>): grpc.ClientUnaryCall;
  ListJobs(argument: _vds_common_v1_ListJobsRequest, callback: grpc.requestCallback<_vds_common_v1_ListJobsReplyOut>): grpc.ClientUnaryCall;
  /**
   * Jobs, oldest first.
   */
  listJobs(argument: _vds_common_v1_ListJobsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListJobsReplyOut>): grpc.ClientUnaryCall;
  listJobs(argument: _vds_common_v1_ListJobsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_ListJobsReplyOut>): grpc.ClientUnaryCall;
  listJobs(argument: _vds_common_v1_ListJobsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListJobsReplyOut>): grpc.ClientUnaryCall;
  listJobs(argument: _vds_common_v1_ListJobsRequest, callback: grpc.requestCallback<_vds_common_v1_ListJobsReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Ids of all videos of which the service keeps anything: rows, tombstones, objects. Ascending.
   */
  ListKnownVideos(argument: _vds_common_v1_ListKnownVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListKnownVideosReplyOut>): grpc.ClientUnaryCall;
  ListKnownVideos(argument: _vds_common_v1_ListKnownVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_ListKnownVideosReplyOut>): grpc.ClientUnaryCall;
  ListKnownVideos(argument: _vds_common_v1_ListKnownVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListKnownVideosReplyOut>): grpc.ClientUnaryCall;
  ListKnownVideos(argument: _vds_common_v1_ListKnownVideosRequest, callback: grpc.requestCallback<_vds_common_v1_ListKnownVideosReplyOut>): grpc.ClientUnaryCall;
  /**
   * Ids of all videos of which the service keeps anything: rows, tombstones, objects. Ascending.
   */
  listKnownVideos(argument: _vds_common_v1_ListKnownVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListKnownVideosReplyOut>): grpc.ClientUnaryCall;
  listKnownVideos(argument: _vds_common_v1_ListKnownVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_ListKnownVideosReplyOut>): grpc.ClientUnaryCall;
  listKnownVideos(argument: _vds_common_v1_ListKnownVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListKnownVideosReplyOut>): grpc.ClientUnaryCall;
  listKnownVideos(argument: _vds_common_v1_ListKnownVideosRequest, callback: grpc.requestCallback<_vds_common_v1_ListKnownVideosReplyOut>): grpc.ClientUnaryCall;
  
}

/**
 * What every service with stages serves on its admin port, for `vdsctl reconcile` and `vdsctl jobs`. It only reports;
 * catalog, which schedules the stages, compares and repairs.
 */
export interface WorkerAdminHandlers extends grpc.UntypedServiceImplementation {
  /**
   * What the service keeps of some videos.
   */
  DescribeVideos: grpc.handleUnaryCall<_vds_common_v1_DescribeVideosRequestOut, _vds_common_v1_DescribeVideosReply>;
  
  /**
   * Jobs, oldest first.
   */
  ListJobs: grpc.handleUnaryCall<_vds_common_v1_ListJobsRequestOut, _vds_common_v1_ListJobsReply>;
  
  /**
   * Ids of all videos of which the service keeps anything: rows, tombstones, objects. Ascending.
   */
  ListKnownVideos: grpc.handleUnaryCall<_vds_common_v1_ListKnownVideosRequestOut, _vds_common_v1_ListKnownVideosReply>;
  
}

export interface WorkerAdminDefinition extends grpc.ServiceDefinition {
  DescribeVideos: MethodDefinition<_vds_common_v1_DescribeVideosRequest, _vds_common_v1_DescribeVideosReply, _vds_common_v1_DescribeVideosRequestOut, _vds_common_v1_DescribeVideosReplyOut>
  ListJobs: MethodDefinition<_vds_common_v1_ListJobsRequest, _vds_common_v1_ListJobsReply, _vds_common_v1_ListJobsRequestOut, _vds_common_v1_ListJobsReplyOut>
  ListKnownVideos: MethodDefinition<_vds_common_v1_ListKnownVideosRequest, _vds_common_v1_ListKnownVideosReply, _vds_common_v1_ListKnownVideosRequestOut, _vds_common_v1_ListKnownVideosReplyOut>
}
