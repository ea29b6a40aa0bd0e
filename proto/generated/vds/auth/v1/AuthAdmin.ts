// Original file: vds/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreatePublisherRequest as _vds_auth_v1_CreatePublisherRequest, CreatePublisherRequestOut as _vds_auth_v1_CreatePublisherRequestOut } from '../../../vds/auth/v1/CreatePublisherRequest.ts';
import type { IssueKeyRequest as _vds_auth_v1_IssueKeyRequest, IssueKeyRequestOut as _vds_auth_v1_IssueKeyRequestOut } from '../../../vds/auth/v1/IssueKeyRequest.ts';
import type { IssuedKey as _vds_auth_v1_IssuedKey, IssuedKeyOut as _vds_auth_v1_IssuedKeyOut } from '../../../vds/auth/v1/IssuedKey.ts';
import type { Key as _vds_auth_v1_Key, KeyOut as _vds_auth_v1_KeyOut } from '../../../vds/auth/v1/Key.ts';
import type { ListKeysReply as _vds_auth_v1_ListKeysReply, ListKeysReplyOut as _vds_auth_v1_ListKeysReplyOut } from '../../../vds/auth/v1/ListKeysReply.ts';
import type { ListKeysRequest as _vds_auth_v1_ListKeysRequest, ListKeysRequestOut as _vds_auth_v1_ListKeysRequestOut } from '../../../vds/auth/v1/ListKeysRequest.ts';
import type { ListPublishersReply as _vds_auth_v1_ListPublishersReply, ListPublishersReplyOut as _vds_auth_v1_ListPublishersReplyOut } from '../../../vds/auth/v1/ListPublishersReply.ts';
import type { ListPublishersRequest as _vds_auth_v1_ListPublishersRequest, ListPublishersRequestOut as _vds_auth_v1_ListPublishersRequestOut } from '../../../vds/auth/v1/ListPublishersRequest.ts';
import type { Publisher as _vds_auth_v1_Publisher, PublisherOut as _vds_auth_v1_PublisherOut } from '../../../vds/auth/v1/Publisher.ts';
import type { RevokeKeyRequest as _vds_auth_v1_RevokeKeyRequest, RevokeKeyRequestOut as _vds_auth_v1_RevokeKeyRequestOut } from '../../../vds/auth/v1/RevokeKeyRequest.ts';
import type { RotateKeyRequest as _vds_auth_v1_RotateKeyRequest, RotateKeyRequestOut as _vds_auth_v1_RotateKeyRequestOut } from '../../../vds/auth/v1/RotateKeyRequest.ts';
import type { RotateSigningKeyRequest as _vds_auth_v1_RotateSigningKeyRequest, RotateSigningKeyRequestOut as _vds_auth_v1_RotateSigningKeyRequestOut } from '../../../vds/auth/v1/RotateSigningKeyRequest.ts';
import type { SetLimitsRequest as _vds_auth_v1_SetLimitsRequest, SetLimitsRequestOut as _vds_auth_v1_SetLimitsRequestOut } from '../../../vds/auth/v1/SetLimitsRequest.ts';
import type { SigningKey as _vds_auth_v1_SigningKey, SigningKeyOut as _vds_auth_v1_SigningKeyOut } from '../../../vds/auth/v1/SigningKey.ts';

/**
 * Verbs of the operator's staff; served on the admin port only.
 */
export interface AuthAdminClient extends grpc.Client {
  CreatePublisher(argument: _vds_auth_v1_CreatePublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  CreatePublisher(argument: _vds_auth_v1_CreatePublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  CreatePublisher(argument: _vds_auth_v1_CreatePublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  CreatePublisher(argument: _vds_auth_v1_CreatePublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  createPublisher(argument: _vds_auth_v1_CreatePublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  createPublisher(argument: _vds_auth_v1_CreatePublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  createPublisher(argument: _vds_auth_v1_CreatePublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  createPublisher(argument: _vds_auth_v1_CreatePublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  
  IssueKey(argument: _vds_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  IssueKey(argument: _vds_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  IssueKey(argument: _vds_auth_v1_IssueKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  IssueKey(argument: _vds_auth_v1_IssueKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  issueKey(argument: _vds_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  issueKey(argument: _vds_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  issueKey(argument: _vds_auth_v1_IssueKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  issueKey(argument: _vds_auth_v1_IssueKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _vds_auth_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  ListKeys(argument: _vds_auth_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  ListKeys(argument: _vds_auth_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  ListKeys(argument: _vds_auth_v1_ListKeysRequest, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  listKeys(argument: _vds_auth_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  listKeys(argument: _vds_auth_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  listKeys(argument: _vds_auth_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  listKeys(argument: _vds_auth_v1_ListKeysRequest, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  
  ListPublishers(argument: _vds_auth_v1_ListPublishersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  ListPublishers(argument: _vds_auth_v1_ListPublishersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  ListPublishers(argument: _vds_auth_v1_ListPublishersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  ListPublishers(argument: _vds_auth_v1_ListPublishersRequest, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  listPublishers(argument: _vds_auth_v1_ListPublishersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  listPublishers(argument: _vds_auth_v1_ListPublishersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  listPublishers(argument: _vds_auth_v1_ListPublishersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  listPublishers(argument: _vds_auth_v1_ListPublishersRequest, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _vds_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  RevokeKey(argument: _vds_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  RevokeKey(argument: _vds_auth_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  RevokeKey(argument: _vds_auth_v1_RevokeKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  revokeKey(argument: _vds_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  revokeKey(argument: _vds_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  revokeKey(argument: _vds_auth_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  revokeKey(argument: _vds_auth_v1_RevokeKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  
  /**
   * Issues a new key and revokes the old one in one transaction; scopes, limits and day budget carry over.
   */
  RotateKey(argument: _vds_auth_v1_RotateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  RotateKey(argument: _vds_auth_v1_RotateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  RotateKey(argument: _vds_auth_v1_RotateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  RotateKey(argument: _vds_auth_v1_RotateKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  /**
   * Issues a new key and revokes the old one in one transaction; scopes, limits and day budget carry over.
   */
  rotateKey(argument: _vds_auth_v1_RotateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  rotateKey(argument: _vds_auth_v1_RotateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  rotateKey(argument: _vds_auth_v1_RotateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  rotateKey(argument: _vds_auth_v1_RotateKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  
  /**
   * Publishes the next signing key; it signs once every verifier can know it.
   */
  RotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  RotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  RotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  RotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  /**
   * Publishes the next signing key; it signs once every verifier can know it.
   */
  rotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  rotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  rotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  rotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  
  SetLimits(argument: _vds_auth_v1_SetLimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  SetLimits(argument: _vds_auth_v1_SetLimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  SetLimits(argument: _vds_auth_v1_SetLimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  SetLimits(argument: _vds_auth_v1_SetLimitsRequest, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  setLimits(argument: _vds_auth_v1_SetLimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  setLimits(argument: _vds_auth_v1_SetLimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  setLimits(argument: _vds_auth_v1_SetLimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  setLimits(argument: _vds_auth_v1_SetLimitsRequest, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  
}

/**
 * Verbs of the operator's staff; served on the admin port only.
 */
export interface AuthAdminHandlers extends grpc.UntypedServiceImplementation {
  CreatePublisher: grpc.handleUnaryCall<_vds_auth_v1_CreatePublisherRequestOut, _vds_auth_v1_Publisher>;
  
  IssueKey: grpc.handleUnaryCall<_vds_auth_v1_IssueKeyRequestOut, _vds_auth_v1_IssuedKey>;
  
  ListKeys: grpc.handleUnaryCall<_vds_auth_v1_ListKeysRequestOut, _vds_auth_v1_ListKeysReply>;
  
  ListPublishers: grpc.handleUnaryCall<_vds_auth_v1_ListPublishersRequestOut, _vds_auth_v1_ListPublishersReply>;
  
  RevokeKey: grpc.handleUnaryCall<_vds_auth_v1_RevokeKeyRequestOut, _vds_auth_v1_Key>;
  
  /**
   * Issues a new key and revokes the old one in one transaction; scopes, limits and day budget carry over.
   */
  RotateKey: grpc.handleUnaryCall<_vds_auth_v1_RotateKeyRequestOut, _vds_auth_v1_IssuedKey>;
  
  /**
   * Publishes the next signing key; it signs once every verifier can know it.
   */
  RotateSigningKey: grpc.handleUnaryCall<_vds_auth_v1_RotateSigningKeyRequestOut, _vds_auth_v1_SigningKey>;
  
  SetLimits: grpc.handleUnaryCall<_vds_auth_v1_SetLimitsRequestOut, _vds_auth_v1_Key>;
  
}

export interface AuthAdminDefinition extends grpc.ServiceDefinition {
  CreatePublisher: MethodDefinition<_vds_auth_v1_CreatePublisherRequest, _vds_auth_v1_Publisher, _vds_auth_v1_CreatePublisherRequestOut, _vds_auth_v1_PublisherOut>
  IssueKey: MethodDefinition<_vds_auth_v1_IssueKeyRequest, _vds_auth_v1_IssuedKey, _vds_auth_v1_IssueKeyRequestOut, _vds_auth_v1_IssuedKeyOut>
  ListKeys: MethodDefinition<_vds_auth_v1_ListKeysRequest, _vds_auth_v1_ListKeysReply, _vds_auth_v1_ListKeysRequestOut, _vds_auth_v1_ListKeysReplyOut>
  ListPublishers: MethodDefinition<_vds_auth_v1_ListPublishersRequest, _vds_auth_v1_ListPublishersReply, _vds_auth_v1_ListPublishersRequestOut, _vds_auth_v1_ListPublishersReplyOut>
  RevokeKey: MethodDefinition<_vds_auth_v1_RevokeKeyRequest, _vds_auth_v1_Key, _vds_auth_v1_RevokeKeyRequestOut, _vds_auth_v1_KeyOut>
  RotateKey: MethodDefinition<_vds_auth_v1_RotateKeyRequest, _vds_auth_v1_IssuedKey, _vds_auth_v1_RotateKeyRequestOut, _vds_auth_v1_IssuedKeyOut>
  RotateSigningKey: MethodDefinition<_vds_auth_v1_RotateSigningKeyRequest, _vds_auth_v1_SigningKey, _vds_auth_v1_RotateSigningKeyRequestOut, _vds_auth_v1_SigningKeyOut>
  SetLimits: MethodDefinition<_vds_auth_v1_SetLimitsRequest, _vds_auth_v1_Key, _vds_auth_v1_SetLimitsRequestOut, _vds_auth_v1_KeyOut>
}
