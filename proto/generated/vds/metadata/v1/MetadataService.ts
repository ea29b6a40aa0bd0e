// Original file: vds/metadata/v1/metadata.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetMetadataRequest as _vds_metadata_v1_GetMetadataRequest, GetMetadataRequestOut as _vds_metadata_v1_GetMetadataRequestOut } from '../../../vds/metadata/v1/GetMetadataRequest.ts';
import type { Metadata as _vds_metadata_v1_Metadata, MetadataOut as _vds_metadata_v1_MetadataOut } from '../../../vds/metadata/v1/Metadata.ts';

/**
 * Served on the admin port too.
 */
export interface MetadataServiceClient extends grpc.Client {
  /**
   * The newest revision of the latest attempt. NOT_FOUND before there is one and after a purge; for the platform's apps
   * while the video is not live, too. They get neither passages nor embedding_model.
   */
  GetMetadata(argument: _vds_metadata_v1_GetMetadataRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  GetMetadata(argument: _vds_metadata_v1_GetMetadataRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  GetMetadata(argument: _vds_metadata_v1_GetMetadataRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  GetMetadata(argument: _vds_metadata_v1_GetMetadataRequest, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  /**
   * The newest revision of the latest attempt. NOT_FOUND before there is one and after a purge; for the platform's apps
   * while the video is not live, too. They get neither passages nor embedding_model.
   */
  getMetadata(argument: _vds_metadata_v1_GetMetadataRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  getMetadata(argument: _vds_metadata_v1_GetMetadataRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  getMetadata(argument: _vds_metadata_v1_GetMetadataRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  getMetadata(argument: _vds_metadata_v1_GetMetadataRequest, callback: grpc.requestCallback<_vds_metadata_v1_MetadataOut>): grpc.ClientUnaryCall;
  
}

/**
 * Served on the admin port too.
 */
export interface MetadataServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * The newest revision of the latest attempt. NOT_FOUND before there is one and after a purge; for the platform's apps
   * while the video is not live, too. They get neither passages nor embedding_model.
   */
  GetMetadata: grpc.handleUnaryCall<_vds_metadata_v1_GetMetadataRequestOut, _vds_metadata_v1_Metadata>;
  
}

export interface MetadataServiceDefinition extends grpc.ServiceDefinition {
  GetMetadata: MethodDefinition<_vds_metadata_v1_GetMetadataRequest, _vds_metadata_v1_Metadata, _vds_metadata_v1_GetMetadataRequestOut, _vds_metadata_v1_MetadataOut>
}
