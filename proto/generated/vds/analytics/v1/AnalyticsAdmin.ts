// Original file: vds/analytics/v1/analytics.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeleteOrganizationRequest as _vds_analytics_v1_DeleteOrganizationRequest, DeleteOrganizationRequestOut as _vds_analytics_v1_DeleteOrganizationRequestOut } from '../../../vds/analytics/v1/DeleteOrganizationRequest.ts';
import type { DeleteReply as _vds_analytics_v1_DeleteReply, DeleteReplyOut as _vds_analytics_v1_DeleteReplyOut } from '../../../vds/analytics/v1/DeleteReply.ts';
import type { DeleteViewerRequest as _vds_analytics_v1_DeleteViewerRequest, DeleteViewerRequestOut as _vds_analytics_v1_DeleteViewerRequestOut } from '../../../vds/analytics/v1/DeleteViewerRequest.ts';
import type { DescribeAccessReply as _vds_analytics_v1_DescribeAccessReply, DescribeAccessReplyOut as _vds_analytics_v1_DescribeAccessReplyOut } from '../../../vds/analytics/v1/DescribeAccessReply.ts';
import type { DescribeAccessRequest as _vds_analytics_v1_DescribeAccessRequest, DescribeAccessRequestOut as _vds_analytics_v1_DescribeAccessRequestOut } from '../../../vds/analytics/v1/DescribeAccessRequest.ts';
import type { QueryReply as _vds_analytics_v1_QueryReply, QueryReplyOut as _vds_analytics_v1_QueryReplyOut } from '../../../vds/analytics/v1/QueryReply.ts';
import type { QueryRequest as _vds_analytics_v1_QueryRequest, QueryRequestOut as _vds_analytics_v1_QueryRequestOut } from '../../../vds/analytics/v1/QueryRequest.ts';

/**
 * The operator's commands; served on the admin port only.
 */
export interface AnalyticsAdminClient extends grpc.Client {
  /**
   * Removes every event of an organization.
   */
  DeleteOrganization(argument: _vds_analytics_v1_DeleteOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  DeleteOrganization(argument: _vds_analytics_v1_DeleteOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  DeleteOrganization(argument: _vds_analytics_v1_DeleteOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  DeleteOrganization(argument: _vds_analytics_v1_DeleteOrganizationRequest, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  /**
   * Removes every event of an organization.
   */
  deleteOrganization(argument: _vds_analytics_v1_DeleteOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  deleteOrganization(argument: _vds_analytics_v1_DeleteOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  deleteOrganization(argument: _vds_analytics_v1_DeleteOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  deleteOrganization(argument: _vds_analytics_v1_DeleteOrganizationRequest, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Removes every event of a viewer, by the app's own id or by the stored hash.
   */
  DeleteViewer(argument: _vds_analytics_v1_DeleteViewerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  DeleteViewer(argument: _vds_analytics_v1_DeleteViewerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  DeleteViewer(argument: _vds_analytics_v1_DeleteViewerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  DeleteViewer(argument: _vds_analytics_v1_DeleteViewerRequest, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  /**
   * Removes every event of a viewer, by the app's own id or by the stored hash.
   */
  deleteViewer(argument: _vds_analytics_v1_DeleteViewerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  deleteViewer(argument: _vds_analytics_v1_DeleteViewerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  deleteViewer(argument: _vds_analytics_v1_DeleteViewerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  deleteViewer(argument: _vds_analytics_v1_DeleteViewerRequest, callback: grpc.requestCallback<_vds_analytics_v1_DeleteReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * What an administrator runs so that an organization's analyst reads its views with an engine of their own.
   */
  DescribeAccess(argument: _vds_analytics_v1_DescribeAccessRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DescribeAccessReplyOut>): grpc.ClientUnaryCall;
  DescribeAccess(argument: _vds_analytics_v1_DescribeAccessRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_analytics_v1_DescribeAccessReplyOut>): grpc.ClientUnaryCall;
  DescribeAccess(argument: _vds_analytics_v1_DescribeAccessRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DescribeAccessReplyOut>): grpc.ClientUnaryCall;
  DescribeAccess(argument: _vds_analytics_v1_DescribeAccessRequest, callback: grpc.requestCallback<_vds_analytics_v1_DescribeAccessReplyOut>): grpc.ClientUnaryCall;
  /**
   * What an administrator runs so that an organization's analyst reads its views with an engine of their own.
   */
  describeAccess(argument: _vds_analytics_v1_DescribeAccessRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DescribeAccessReplyOut>): grpc.ClientUnaryCall;
  describeAccess(argument: _vds_analytics_v1_DescribeAccessRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_analytics_v1_DescribeAccessReplyOut>): grpc.ClientUnaryCall;
  describeAccess(argument: _vds_analytics_v1_DescribeAccessRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_DescribeAccessReplyOut>): grpc.ClientUnaryCall;
  describeAccess(argument: _vds_analytics_v1_DescribeAccessRequest, callback: grpc.requestCallback<_vds_analytics_v1_DescribeAccessReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Answers one SELECT over the views of one organization. INVALID_ARGUMENT for anything else.
   */
  Query(argument: _vds_analytics_v1_QueryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_QueryReplyOut>): grpc.ClientUnaryCall;
  Query(argument: _vds_analytics_v1_QueryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_analytics_v1_QueryReplyOut>): grpc.ClientUnaryCall;
  Query(argument: _vds_analytics_v1_QueryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_QueryReplyOut>): grpc.ClientUnaryCall;
  Query(argument: _vds_analytics_v1_QueryRequest, callback: grpc.requestCallback<_vds_analytics_v1_QueryReplyOut>): grpc.ClientUnaryCall;
  /**
   * Answers one SELECT over the views of one organization. INVALID_ARGUMENT for anything else.
   */
  query(argument: _vds_analytics_v1_QueryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_QueryReplyOut>): grpc.ClientUnaryCall;
  query(argument: _vds_analytics_v1_QueryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_analytics_v1_QueryReplyOut>): grpc.ClientUnaryCall;
  query(argument: _vds_analytics_v1_QueryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_analytics_v1_QueryReplyOut>): grpc.ClientUnaryCall;
  query(argument: _vds_analytics_v1_QueryRequest, callback: grpc.requestCallback<_vds_analytics_v1_QueryReplyOut>): grpc.ClientUnaryCall;
  
}

/**
 * The operator's commands; served on the admin port only.
 */
export interface AnalyticsAdminHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Removes every event of an organization.
   */
  DeleteOrganization: grpc.handleUnaryCall<_vds_analytics_v1_DeleteOrganizationRequestOut, _vds_analytics_v1_DeleteReply>;
  
  /**
   * Removes every event of a viewer, by the app's own id or by the stored hash.
   */
  DeleteViewer: grpc.handleUnaryCall<_vds_analytics_v1_DeleteViewerRequestOut, _vds_analytics_v1_DeleteReply>;
  
  /**
   * What an administrator runs so that an organization's analyst reads its views with an engine of their own.
   */
  DescribeAccess: grpc.handleUnaryCall<_vds_analytics_v1_DescribeAccessRequestOut, _vds_analytics_v1_DescribeAccessReply>;
  
  /**
   * Answers one SELECT over the views of one organization. INVALID_ARGUMENT for anything else.
   */
  Query: grpc.handleUnaryCall<_vds_analytics_v1_QueryRequestOut, _vds_analytics_v1_QueryReply>;
  
}

export interface AnalyticsAdminDefinition extends grpc.ServiceDefinition {
  DeleteOrganization: MethodDefinition<_vds_analytics_v1_DeleteOrganizationRequest, _vds_analytics_v1_DeleteReply, _vds_analytics_v1_DeleteOrganizationRequestOut, _vds_analytics_v1_DeleteReplyOut>
  DeleteViewer: MethodDefinition<_vds_analytics_v1_DeleteViewerRequest, _vds_analytics_v1_DeleteReply, _vds_analytics_v1_DeleteViewerRequestOut, _vds_analytics_v1_DeleteReplyOut>
  DescribeAccess: MethodDefinition<_vds_analytics_v1_DescribeAccessRequest, _vds_analytics_v1_DescribeAccessReply, _vds_analytics_v1_DescribeAccessRequestOut, _vds_analytics_v1_DescribeAccessReplyOut>
  Query: MethodDefinition<_vds_analytics_v1_QueryRequest, _vds_analytics_v1_QueryReply, _vds_analytics_v1_QueryRequestOut, _vds_analytics_v1_QueryReplyOut>
}
