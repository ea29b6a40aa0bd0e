import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AnalyticsAdminClient as _vds_analytics_v1_AnalyticsAdminClient, AnalyticsAdminDefinition as _vds_analytics_v1_AnalyticsAdminDefinition } from './vds/analytics/v1/AnalyticsAdmin.ts';
import type { DeleteOrganizationRequest as _vds_analytics_v1_DeleteOrganizationRequest, DeleteOrganizationRequestOut as _vds_analytics_v1_DeleteOrganizationRequestOut } from './vds/analytics/v1/DeleteOrganizationRequest.ts';
import type { DeleteReply as _vds_analytics_v1_DeleteReply, DeleteReplyOut as _vds_analytics_v1_DeleteReplyOut } from './vds/analytics/v1/DeleteReply.ts';
import type { DeleteViewerRequest as _vds_analytics_v1_DeleteViewerRequest, DeleteViewerRequestOut as _vds_analytics_v1_DeleteViewerRequestOut } from './vds/analytics/v1/DeleteViewerRequest.ts';
import type { DescribeAccessReply as _vds_analytics_v1_DescribeAccessReply, DescribeAccessReplyOut as _vds_analytics_v1_DescribeAccessReplyOut } from './vds/analytics/v1/DescribeAccessReply.ts';
import type { DescribeAccessRequest as _vds_analytics_v1_DescribeAccessRequest, DescribeAccessRequestOut as _vds_analytics_v1_DescribeAccessRequestOut } from './vds/analytics/v1/DescribeAccessRequest.ts';
import type { QueryReply as _vds_analytics_v1_QueryReply, QueryReplyOut as _vds_analytics_v1_QueryReplyOut } from './vds/analytics/v1/QueryReply.ts';
import type { QueryRequest as _vds_analytics_v1_QueryRequest, QueryRequestOut as _vds_analytics_v1_QueryRequestOut } from './vds/analytics/v1/QueryRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    analytics: {
      v1: {
        /**
         * The operator's commands; served on the admin port only.
         */
        AnalyticsAdmin: SubtypeConstructor<typeof grpc.Client, _vds_analytics_v1_AnalyticsAdminClient> & { service: _vds_analytics_v1_AnalyticsAdminDefinition }
        DeleteOrganizationRequest: MessageTypeDefinition<_vds_analytics_v1_DeleteOrganizationRequest, _vds_analytics_v1_DeleteOrganizationRequestOut>
        DeleteReply: MessageTypeDefinition<_vds_analytics_v1_DeleteReply, _vds_analytics_v1_DeleteReplyOut>
        DeleteViewerRequest: MessageTypeDefinition<_vds_analytics_v1_DeleteViewerRequest, _vds_analytics_v1_DeleteViewerRequestOut>
        DescribeAccessReply: MessageTypeDefinition<_vds_analytics_v1_DescribeAccessReply, _vds_analytics_v1_DescribeAccessReplyOut>
        DescribeAccessRequest: MessageTypeDefinition<_vds_analytics_v1_DescribeAccessRequest, _vds_analytics_v1_DescribeAccessRequestOut>
        QueryReply: MessageTypeDefinition<_vds_analytics_v1_QueryReply, _vds_analytics_v1_QueryReplyOut>
        QueryRequest: MessageTypeDefinition<_vds_analytics_v1_QueryRequest, _vds_analytics_v1_QueryRequestOut>
      }
    }
  }
}

