// Original file: vds/metadata/v1/metadata.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetMetadataRequest as _vds_metadata_v1_GetMetadataRequest, GetMetadataRequestOut as _vds_metadata_v1_GetMetadataRequestOut } from '../../../vds/metadata/v1/GetMetadataRequest.ts';
import type { Metadata as _vds_metadata_v1_Metadata, MetadataOut as _vds_metadata_v1_MetadataOut } from '../../../vds/metadata/v1/Metadata.ts';

/**
 * Operator commands; served on the admin port only.
 */
export interface MetadataAdminClient extends grpc.Client {
  ShowMetadata(argument: _vds_metadata_v1_GetMetadataRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  ShowMetadata(argument: _vds_metadata_v1_GetMetadataRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  ShowMetadata(argument: _vds_metadata_v1_GetMetadataRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  ShowMetadata(argument: _vds_metadata_v1_GetMetadataRequest, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  showMetadata(argument: _vds_metadata_v1_GetMetadataRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  showMetadata(argument: _vds_metadata_v1_GetMetadataRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  showMetadata(argument: _vds_metadata_v1_GetMetadataRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  showMetadata(argument: _vds_metadata_v1_GetMetadataRequest, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  
}

/**
 * Operator commands; served on the admin port only.
 */
export interface MetadataAdminHandlers extends grpc.UntypedServiceImplementation {
  ShowMetadata: grpc.handleUnaryCall<_vds_metadata_v1_GetMetadataRequestOut, _vds_metadata_v1_Metadata>;
  
}

export interface MetadataAdminDefinition extends grpc.ServiceDefinition {
  ShowMetadata: MethodDefinition<_vds_metadata_v1_GetMetadataRequest, _vds_metadata_v1_Metadata, _vds_metadata_v1_GetMetadataRequestOut, _vds_metadata_v1_MetadataOut>
}
