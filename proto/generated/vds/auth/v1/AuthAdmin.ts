// Original file: vds/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AddStaffRequest as _vds_auth_v1_AddStaffRequest, AddStaffRequestOut as _vds_auth_v1_AddStaffRequestOut } from '../../../vds/auth/v1/AddStaffRequest.ts';
import type { AddedStaff as _vds_auth_v1_AddedStaff, AddedStaffOut as _vds_auth_v1_AddedStaffOut } from '../../../vds/auth/v1/AddedStaff.ts';
import type { ChangePreview as _vds_auth_v1_ChangePreview, ChangePreviewOut as _vds_auth_v1_ChangePreviewOut } from '../../../vds/auth/v1/ChangePreview.ts';
import type { CreateOrganizationRequest as _vds_auth_v1_CreateOrganizationRequest, CreateOrganizationRequestOut as _vds_auth_v1_CreateOrganizationRequestOut } from '../../../vds/auth/v1/CreateOrganizationRequest.ts';
import type { CreatePublisherRequest as _vds_auth_v1_CreatePublisherRequest, CreatePublisherRequestOut as _vds_auth_v1_CreatePublisherRequestOut } from '../../../vds/auth/v1/CreatePublisherRequest.ts';
import type { ExchangeStaffTokenRequest as _vds_auth_v1_ExchangeStaffTokenRequest, ExchangeStaffTokenRequestOut as _vds_auth_v1_ExchangeStaffTokenRequestOut } from '../../../vds/auth/v1/ExchangeStaffTokenRequest.ts';
import type { GetKeyRequest as _vds_auth_v1_GetKeyRequest, GetKeyRequestOut as _vds_auth_v1_GetKeyRequestOut } from '../../../vds/auth/v1/GetKeyRequest.ts';
import type { GetPublisherRequest as _vds_auth_v1_GetPublisherRequest, GetPublisherRequestOut as _vds_auth_v1_GetPublisherRequestOut } from '../../../vds/auth/v1/GetPublisherRequest.ts';
import type { IssueKeyRequest as _vds_auth_v1_IssueKeyRequest, IssueKeyRequestOut as _vds_auth_v1_IssueKeyRequestOut } from '../../../vds/auth/v1/IssueKeyRequest.ts';
import type { IssuedKey as _vds_auth_v1_IssuedKey, IssuedKeyOut as _vds_auth_v1_IssuedKeyOut } from '../../../vds/auth/v1/IssuedKey.ts';
import type { Key as _vds_auth_v1_Key, KeyOut as _vds_auth_v1_KeyOut } from '../../../vds/auth/v1/Key.ts';
import type { ListAuditReply as _vds_auth_v1_ListAuditReply, ListAuditReplyOut as _vds_auth_v1_ListAuditReplyOut } from '../../../vds/auth/v1/ListAuditReply.ts';
import type { ListAuditRequest as _vds_auth_v1_ListAuditRequest, ListAuditRequestOut as _vds_auth_v1_ListAuditRequestOut } from '../../../vds/auth/v1/ListAuditRequest.ts';
import type { ListKeysReply as _vds_auth_v1_ListKeysReply, ListKeysReplyOut as _vds_auth_v1_ListKeysReplyOut } from '../../../vds/auth/v1/ListKeysReply.ts';
import type { ListKeysRequest as _vds_auth_v1_ListKeysRequest, ListKeysRequestOut as _vds_auth_v1_ListKeysRequestOut } from '../../../vds/auth/v1/ListKeysRequest.ts';
import type { ListOrganizationsReply as _vds_auth_v1_ListOrganizationsReply, ListOrganizationsReplyOut as _vds_auth_v1_ListOrganizationsReplyOut } from '../../../vds/auth/v1/ListOrganizationsReply.ts';
import type { ListOrganizationsRequest as _vds_auth_v1_ListOrganizationsRequest, ListOrganizationsRequestOut as _vds_auth_v1_ListOrganizationsRequestOut } from '../../../vds/auth/v1/ListOrganizationsRequest.ts';
import type { ListPublishersReply as _vds_auth_v1_ListPublishersReply, ListPublishersReplyOut as _vds_auth_v1_ListPublishersReplyOut } from '../../../vds/auth/v1/ListPublishersReply.ts';
import type { ListPublishersRequest as _vds_auth_v1_ListPublishersRequest, ListPublishersRequestOut as _vds_auth_v1_ListPublishersRequestOut } from '../../../vds/auth/v1/ListPublishersRequest.ts';
import type { ListStaffReply as _vds_auth_v1_ListStaffReply, ListStaffReplyOut as _vds_auth_v1_ListStaffReplyOut } from '../../../vds/auth/v1/ListStaffReply.ts';
import type { ListStaffRequest as _vds_auth_v1_ListStaffRequest, ListStaffRequestOut as _vds_auth_v1_ListStaffRequestOut } from '../../../vds/auth/v1/ListStaffRequest.ts';
import type { MintPreviewTokenRequest as _vds_auth_v1_MintPreviewTokenRequest, MintPreviewTokenRequestOut as _vds_auth_v1_MintPreviewTokenRequestOut } from '../../../vds/auth/v1/MintPreviewTokenRequest.ts';
import type { Organization as _vds_auth_v1_Organization, OrganizationOut as _vds_auth_v1_OrganizationOut } from '../../../vds/auth/v1/Organization.ts';
import type { PlaybackToken as _vds_auth_v1_PlaybackToken, PlaybackTokenOut as _vds_auth_v1_PlaybackTokenOut } from '../../../vds/auth/v1/PlaybackToken.ts';
import type { PreviewChangeRequest as _vds_auth_v1_PreviewChangeRequest, PreviewChangeRequestOut as _vds_auth_v1_PreviewChangeRequestOut } from '../../../vds/auth/v1/PreviewChangeRequest.ts';
import type { Publisher as _vds_auth_v1_Publisher, PublisherOut as _vds_auth_v1_PublisherOut } from '../../../vds/auth/v1/Publisher.ts';
import type { RenameOrganizationRequest as _vds_auth_v1_RenameOrganizationRequest, RenameOrganizationRequestOut as _vds_auth_v1_RenameOrganizationRequestOut } from '../../../vds/auth/v1/RenameOrganizationRequest.ts';
import type { RevokeKeyRequest as _vds_auth_v1_RevokeKeyRequest, RevokeKeyRequestOut as _vds_auth_v1_RevokeKeyRequestOut } from '../../../vds/auth/v1/RevokeKeyRequest.ts';
import type { RevokeStaffRequest as _vds_auth_v1_RevokeStaffRequest, RevokeStaffRequestOut as _vds_auth_v1_RevokeStaffRequestOut } from '../../../vds/auth/v1/RevokeStaffRequest.ts';
import type { RotateKeyRequest as _vds_auth_v1_RotateKeyRequest, RotateKeyRequestOut as _vds_auth_v1_RotateKeyRequestOut } from '../../../vds/auth/v1/RotateKeyRequest.ts';
import type { RotateSigningKeyRequest as _vds_auth_v1_RotateSigningKeyRequest, RotateSigningKeyRequestOut as _vds_auth_v1_RotateSigningKeyRequestOut } from '../../../vds/auth/v1/RotateSigningKeyRequest.ts';
import type { SetLimitsRequest as _vds_auth_v1_SetLimitsRequest, SetLimitsRequestOut as _vds_auth_v1_SetLimitsRequestOut } from '../../../vds/auth/v1/SetLimitsRequest.ts';
import type { SetSuspensionRequest as _vds_auth_v1_SetSuspensionRequest, SetSuspensionRequestOut as _vds_auth_v1_SetSuspensionRequestOut } from '../../../vds/auth/v1/SetSuspensionRequest.ts';
import type { SigningKey as _vds_auth_v1_SigningKey, SigningKeyOut as _vds_auth_v1_SigningKeyOut } from '../../../vds/auth/v1/SigningKey.ts';
import type { StaffMember as _vds_auth_v1_StaffMember, StaffMemberOut as _vds_auth_v1_StaffMemberOut } from '../../../vds/auth/v1/StaffMember.ts';
import type { StaffToken as _vds_auth_v1_StaffToken, StaffTokenOut as _vds_auth_v1_StaffTokenOut } from '../../../vds/auth/v1/StaffToken.ts';
import type { UpdatePublisherRequest as _vds_auth_v1_UpdatePublisherRequest, UpdatePublisherRequestOut as _vds_auth_v1_UpdatePublisherRequestOut } from '../../../vds/auth/v1/UpdatePublisherRequest.ts';

/**
 * Administration by the operator's staff; served on the admin port only. Every change writes an audit row in its own
 * transaction, with who made it and `reason`: the person whose token the caller has, else `actor` (empty: the calling
 * service). Neither may contain a key.
 */
export interface AuthAdminClient extends grpc.Client {
  /**
   * Gives a person a token of their own; it cannot be read again. ALREADY_EXISTS while the name has one in force.
   */
  AddStaff(argument: _vds_auth_v1_AddStaffRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_AddedStaffOut>): grpc.ClientUnaryCall;
  AddStaff(argument: _vds_auth_v1_AddStaffRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_AddedStaffOut>): grpc.ClientUnaryCall;
  AddStaff(argument: _vds_auth_v1_AddStaffRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_AddedStaffOut>): grpc.ClientUnaryCall;
  AddStaff(argument: _vds_auth_v1_AddStaffRequest, callback: grpc.requestCallback<_vds_auth_v1_AddedStaffOut>): grpc.ClientUnaryCall;
  /**
   * Gives a person a token of their own; it cannot be read again. ALREADY_EXISTS while the name has one in force.
   */
  addStaff(argument: _vds_auth_v1_AddStaffRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_AddedStaffOut>): grpc.ClientUnaryCall;
  addStaff(argument: _vds_auth_v1_AddStaffRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_AddedStaffOut>): grpc.ClientUnaryCall;
  addStaff(argument: _vds_auth_v1_AddStaffRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_AddedStaffOut>): grpc.ClientUnaryCall;
  addStaff(argument: _vds_auth_v1_AddStaffRequest, callback: grpc.requestCallback<_vds_auth_v1_AddedStaffOut>): grpc.ClientUnaryCall;
  
  CreateOrganization(argument: _vds_auth_v1_CreateOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  CreateOrganization(argument: _vds_auth_v1_CreateOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  CreateOrganization(argument: _vds_auth_v1_CreateOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  CreateOrganization(argument: _vds_auth_v1_CreateOrganizationRequest, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  createOrganization(argument: _vds_auth_v1_CreateOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  createOrganization(argument: _vds_auth_v1_CreateOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  createOrganization(argument: _vds_auth_v1_CreateOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  createOrganization(argument: _vds_auth_v1_CreateOrganizationRequest, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  
  CreatePublisher(argument: _vds_auth_v1_CreatePublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  CreatePublisher(argument: _vds_auth_v1_CreatePublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  CreatePublisher(argument: _vds_auth_v1_CreatePublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  CreatePublisher(argument: _vds_auth_v1_CreatePublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  createPublisher(argument: _vds_auth_v1_CreatePublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  createPublisher(argument: _vds_auth_v1_CreatePublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  createPublisher(argument: _vds_auth_v1_CreatePublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  createPublisher(argument: _vds_auth_v1_CreatePublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  
  /**
   * The caller's personal token for a JWT of ten minutes that every admin port accepts. PERMISSION_DENIED without one.
   */
  ExchangeStaffToken(argument: _vds_auth_v1_ExchangeStaffTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_StaffTokenOut>): grpc.ClientUnaryCall;
  ExchangeStaffToken(argument: _vds_auth_v1_ExchangeStaffTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_StaffTokenOut>): grpc.ClientUnaryCall;
  ExchangeStaffToken(argument: _vds_auth_v1_ExchangeStaffTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_StaffTokenOut>): grpc.ClientUnaryCall;
  ExchangeStaffToken(argument: _vds_auth_v1_ExchangeStaffTokenRequest, callback: grpc.requestCallback<_vds_auth_v1_StaffTokenOut>): grpc.ClientUnaryCall;
  /**
   * The caller's personal token for a JWT of ten minutes that every admin port accepts. PERMISSION_DENIED without one.
   */
  exchangeStaffToken(argument: _vds_auth_v1_ExchangeStaffTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_StaffTokenOut>): grpc.ClientUnaryCall;
  exchangeStaffToken(argument: _vds_auth_v1_ExchangeStaffTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_StaffTokenOut>): grpc.ClientUnaryCall;
  exchangeStaffToken(argument: _vds_auth_v1_ExchangeStaffTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_StaffTokenOut>): grpc.ClientUnaryCall;
  exchangeStaffToken(argument: _vds_auth_v1_ExchangeStaffTokenRequest, callback: grpc.requestCallback<_vds_auth_v1_StaffTokenOut>): grpc.ClientUnaryCall;
  
  GetKey(argument: _vds_auth_v1_GetKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  GetKey(argument: _vds_auth_v1_GetKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  GetKey(argument: _vds_auth_v1_GetKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  GetKey(argument: _vds_auth_v1_GetKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  getKey(argument: _vds_auth_v1_GetKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  getKey(argument: _vds_auth_v1_GetKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  getKey(argument: _vds_auth_v1_GetKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  getKey(argument: _vds_auth_v1_GetKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  
  GetPublisher(argument: _vds_auth_v1_GetPublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  GetPublisher(argument: _vds_auth_v1_GetPublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  GetPublisher(argument: _vds_auth_v1_GetPublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  GetPublisher(argument: _vds_auth_v1_GetPublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  getPublisher(argument: _vds_auth_v1_GetPublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  getPublisher(argument: _vds_auth_v1_GetPublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  getPublisher(argument: _vds_auth_v1_GetPublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  getPublisher(argument: _vds_auth_v1_GetPublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  
  IssueKey(argument: _vds_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  IssueKey(argument: _vds_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  IssueKey(argument: _vds_auth_v1_IssueKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  IssueKey(argument: _vds_auth_v1_IssueKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  issueKey(argument: _vds_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  issueKey(argument: _vds_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  issueKey(argument: _vds_auth_v1_IssueKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  issueKey(argument: _vds_auth_v1_IssueKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_IssuedKeyOut>): grpc.ClientUnaryCall;
  
  /**
   * Newest first.
   */
  ListAudit(argument: _vds_auth_v1_ListAuditRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  ListAudit(argument: _vds_auth_v1_ListAuditRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  ListAudit(argument: _vds_auth_v1_ListAuditRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  ListAudit(argument: _vds_auth_v1_ListAuditRequest, callback: grpc.requestCallback<_vds_auth_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listAudit(argument: _vds_auth_v1_ListAuditRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  listAudit(argument: _vds_auth_v1_ListAuditRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  listAudit(argument: _vds_auth_v1_ListAuditRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  listAudit(argument: _vds_auth_v1_ListAuditRequest, callback: grpc.requestCallback<_vds_auth_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _vds_auth_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  ListKeys(argument: _vds_auth_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  ListKeys(argument: _vds_auth_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  ListKeys(argument: _vds_auth_v1_ListKeysRequest, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  listKeys(argument: _vds_auth_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  listKeys(argument: _vds_auth_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  listKeys(argument: _vds_auth_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  listKeys(argument: _vds_auth_v1_ListKeysRequest, callback: grpc.requestCallback<_vds_auth_v1_ListKeysReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Oldest first.
   */
  ListOrganizations(argument: _vds_auth_v1_ListOrganizationsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListOrganizationsReplyOut>): grpc.ClientUnaryCall;
  ListOrganizations(argument: _vds_auth_v1_ListOrganizationsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListOrganizationsReplyOut>): grpc.ClientUnaryCall;
  ListOrganizations(argument: _vds_auth_v1_ListOrganizationsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListOrganizationsReplyOut>): grpc.ClientUnaryCall;
  ListOrganizations(argument: _vds_auth_v1_ListOrganizationsRequest, callback: grpc.requestCallback<_vds_auth_v1_ListOrganizationsReplyOut>): grpc.ClientUnaryCall;
  /**
   * Oldest first.
   */
  listOrganizations(argument: _vds_auth_v1_ListOrganizationsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListOrganizationsReplyOut>): grpc.ClientUnaryCall;
  listOrganizations(argument: _vds_auth_v1_ListOrganizationsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListOrganizationsReplyOut>): grpc.ClientUnaryCall;
  listOrganizations(argument: _vds_auth_v1_ListOrganizationsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListOrganizationsReplyOut>): grpc.ClientUnaryCall;
  listOrganizations(argument: _vds_auth_v1_ListOrganizationsRequest, callback: grpc.requestCallback<_vds_auth_v1_ListOrganizationsReplyOut>): grpc.ClientUnaryCall;
  
  ListPublishers(argument: _vds_auth_v1_ListPublishersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  ListPublishers(argument: _vds_auth_v1_ListPublishersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  ListPublishers(argument: _vds_auth_v1_ListPublishersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  ListPublishers(argument: _vds_auth_v1_ListPublishersRequest, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  listPublishers(argument: _vds_auth_v1_ListPublishersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  listPublishers(argument: _vds_auth_v1_ListPublishersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  listPublishers(argument: _vds_auth_v1_ListPublishersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  listPublishers(argument: _vds_auth_v1_ListPublishersRequest, callback: grpc.requestCallback<_vds_auth_v1_ListPublishersReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Oldest first, revoked ones included.
   */
  ListStaff(argument: _vds_auth_v1_ListStaffRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListStaffReplyOut>): grpc.ClientUnaryCall;
  ListStaff(argument: _vds_auth_v1_ListStaffRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListStaffReplyOut>): grpc.ClientUnaryCall;
  ListStaff(argument: _vds_auth_v1_ListStaffRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListStaffReplyOut>): grpc.ClientUnaryCall;
  ListStaff(argument: _vds_auth_v1_ListStaffRequest, callback: grpc.requestCallback<_vds_auth_v1_ListStaffReplyOut>): grpc.ClientUnaryCall;
  /**
   * Oldest first, revoked ones included.
   */
  listStaff(argument: _vds_auth_v1_ListStaffRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListStaffReplyOut>): grpc.ClientUnaryCall;
  listStaff(argument: _vds_auth_v1_ListStaffRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ListStaffReplyOut>): grpc.ClientUnaryCall;
  listStaff(argument: _vds_auth_v1_ListStaffRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ListStaffReplyOut>): grpc.ClientUnaryCall;
  listStaff(argument: _vds_auth_v1_ListStaffRequest, callback: grpc.requestCallback<_vds_auth_v1_ListStaffReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * A token with which staff watches a video whatever its state, for ten minutes. Audited.
   */
  MintPreviewToken(argument: _vds_auth_v1_MintPreviewTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  MintPreviewToken(argument: _vds_auth_v1_MintPreviewTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  MintPreviewToken(argument: _vds_auth_v1_MintPreviewTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  MintPreviewToken(argument: _vds_auth_v1_MintPreviewTokenRequest, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  /**
   * A token with which staff watches a video whatever its state, for ten minutes. Audited.
   */
  mintPreviewToken(argument: _vds_auth_v1_MintPreviewTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  mintPreviewToken(argument: _vds_auth_v1_MintPreviewTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  mintPreviewToken(argument: _vds_auth_v1_MintPreviewTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  mintPreviewToken(argument: _vds_auth_v1_MintPreviewTokenRequest, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  
  /**
   * Makes the change in a transaction that is rolled back: what it would do, or the error that it would fail with.
   */
  PreviewChange(argument: _vds_auth_v1_PreviewChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ChangePreviewOut>): grpc.ClientUnaryCall;
  PreviewChange(argument: _vds_auth_v1_PreviewChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ChangePreviewOut>): grpc.ClientUnaryCall;
  PreviewChange(argument: _vds_auth_v1_PreviewChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ChangePreviewOut>): grpc.ClientUnaryCall;
  PreviewChange(argument: _vds_auth_v1_PreviewChangeRequest, callback: grpc.requestCallback<_vds_auth_v1_ChangePreviewOut>): grpc.ClientUnaryCall;
  /**
   * Makes the change in a transaction that is rolled back: what it would do, or the error that it would fail with.
   */
  previewChange(argument: _vds_auth_v1_PreviewChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ChangePreviewOut>): grpc.ClientUnaryCall;
  previewChange(argument: _vds_auth_v1_PreviewChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_ChangePreviewOut>): grpc.ClientUnaryCall;
  previewChange(argument: _vds_auth_v1_PreviewChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_ChangePreviewOut>): grpc.ClientUnaryCall;
  previewChange(argument: _vds_auth_v1_PreviewChangeRequest, callback: grpc.requestCallback<_vds_auth_v1_ChangePreviewOut>): grpc.ClientUnaryCall;
  
  RenameOrganization(argument: _vds_auth_v1_RenameOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  RenameOrganization(argument: _vds_auth_v1_RenameOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  RenameOrganization(argument: _vds_auth_v1_RenameOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  RenameOrganization(argument: _vds_auth_v1_RenameOrganizationRequest, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  renameOrganization(argument: _vds_auth_v1_RenameOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  renameOrganization(argument: _vds_auth_v1_RenameOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  renameOrganization(argument: _vds_auth_v1_RenameOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  renameOrganization(argument: _vds_auth_v1_RenameOrganizationRequest, callback: grpc.requestCallback<_vds_auth_v1_OrganizationOut>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _vds_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  RevokeKey(argument: _vds_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  RevokeKey(argument: _vds_auth_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  RevokeKey(argument: _vds_auth_v1_RevokeKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  revokeKey(argument: _vds_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  revokeKey(argument: _vds_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  revokeKey(argument: _vds_auth_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  revokeKey(argument: _vds_auth_v1_RevokeKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_KeyOut>): grpc.ClientUnaryCall;
  
  RevokeStaff(argument: _vds_auth_v1_RevokeStaffRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_StaffMemberOut>): grpc.ClientUnaryCall;
  RevokeStaff(argument: _vds_auth_v1_RevokeStaffRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_StaffMemberOut>): grpc.ClientUnaryCall;
  RevokeStaff(argument: _vds_auth_v1_RevokeStaffRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_StaffMemberOut>): grpc.ClientUnaryCall;
  RevokeStaff(argument: _vds_auth_v1_RevokeStaffRequest, callback: grpc.requestCallback<_vds_auth_v1_StaffMemberOut>): grpc.ClientUnaryCall;
  revokeStaff(argument: _vds_auth_v1_RevokeStaffRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_StaffMemberOut>): grpc.ClientUnaryCall;
  revokeStaff(argument: _vds_auth_v1_RevokeStaffRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_StaffMemberOut>): grpc.ClientUnaryCall;
  revokeStaff(argument: _vds_auth_v1_RevokeStaffRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_StaffMemberOut>): grpc.ClientUnaryCall;
  revokeStaff(argument: _vds_auth_v1_RevokeStaffRequest, callback: grpc.requestCallback<_vds_auth_v1_StaffMemberOut>): grpc.ClientUnaryCall;
  
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
   * Publishes the next signing key; it signs once every verifier has had time to fetch it.
   */
  RotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  RotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  RotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  RotateSigningKey(argument: _vds_auth_v1_RotateSigningKeyRequest, callback: grpc.requestCallback<_vds_auth_v1_SigningKeyOut>): grpc.ClientUnaryCall;
  /**
   * Publishes the next signing key; it signs once every verifier has had time to fetch it.
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
  
  /**
   * Suspended: its keys authenticate no more, as if they were revoked; its videos stay as they are.
   */
  SetSuspension(argument: _vds_auth_v1_SetSuspensionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  SetSuspension(argument: _vds_auth_v1_SetSuspensionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  SetSuspension(argument: _vds_auth_v1_SetSuspensionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  SetSuspension(argument: _vds_auth_v1_SetSuspensionRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  /**
   * Suspended: its keys authenticate no more, as if they were revoked; its videos stay as they are.
   */
  setSuspension(argument: _vds_auth_v1_SetSuspensionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  setSuspension(argument: _vds_auth_v1_SetSuspensionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  setSuspension(argument: _vds_auth_v1_SetSuspensionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  setSuspension(argument: _vds_auth_v1_SetSuspensionRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  
  /**
   * Changes the names that are set.
   */
  UpdatePublisher(argument: _vds_auth_v1_UpdatePublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  UpdatePublisher(argument: _vds_auth_v1_UpdatePublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  UpdatePublisher(argument: _vds_auth_v1_UpdatePublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  UpdatePublisher(argument: _vds_auth_v1_UpdatePublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  /**
   * Changes the names that are set.
   */
  updatePublisher(argument: _vds_auth_v1_UpdatePublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  updatePublisher(argument: _vds_auth_v1_UpdatePublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  updatePublisher(argument: _vds_auth_v1_UpdatePublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  updatePublisher(argument: _vds_auth_v1_UpdatePublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherOut>): grpc.ClientUnaryCall;
  
}

/**
 * Administration by the operator's staff; served on the admin port only. Every change writes an audit row in its own
 * transaction, with who made it and `reason`: the person whose token the caller has, else `actor` (empty: the calling
 * service). Neither may contain a key.
 */
export interface AuthAdminHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Gives a person a token of their own; it cannot be read again. ALREADY_EXISTS while the name has one in force.
   */
  AddStaff: grpc.handleUnaryCall<_vds_auth_v1_AddStaffRequestOut, _vds_auth_v1_AddedStaff>;
  
  CreateOrganization: grpc.handleUnaryCall<_vds_auth_v1_CreateOrganizationRequestOut, _vds_auth_v1_Organization>;
  
  CreatePublisher: grpc.handleUnaryCall<_vds_auth_v1_CreatePublisherRequestOut, _vds_auth_v1_Publisher>;
  
  /**
   * The caller's personal token for a JWT of ten minutes that every admin port accepts. PERMISSION_DENIED without one.
   */
  ExchangeStaffToken: grpc.handleUnaryCall<_vds_auth_v1_ExchangeStaffTokenRequestOut, _vds_auth_v1_StaffToken>;
  
  GetKey: grpc.handleUnaryCall<_vds_auth_v1_GetKeyRequestOut, _vds_auth_v1_Key>;
  
  GetPublisher: grpc.handleUnaryCall<_vds_auth_v1_GetPublisherRequestOut, _vds_auth_v1_Publisher>;
  
  IssueKey: grpc.handleUnaryCall<_vds_auth_v1_IssueKeyRequestOut, _vds_auth_v1_IssuedKey>;
  
  /**
   * Newest first.
   */
  ListAudit: grpc.handleUnaryCall<_vds_auth_v1_ListAuditRequestOut, _vds_auth_v1_ListAuditReply>;
  
  ListKeys: grpc.handleUnaryCall<_vds_auth_v1_ListKeysRequestOut, _vds_auth_v1_ListKeysReply>;
  
  /**
   * Oldest first.
   */
  ListOrganizations: grpc.handleUnaryCall<_vds_auth_v1_ListOrganizationsRequestOut, _vds_auth_v1_ListOrganizationsReply>;
  
  ListPublishers: grpc.handleUnaryCall<_vds_auth_v1_ListPublishersRequestOut, _vds_auth_v1_ListPublishersReply>;
  
  /**
   * Oldest first, revoked ones included.
   */
  ListStaff: grpc.handleUnaryCall<_vds_auth_v1_ListStaffRequestOut, _vds_auth_v1_ListStaffReply>;
  
  /**
   * A token with which staff watches a video whatever its state, for ten minutes. Audited.
   */
  MintPreviewToken: grpc.handleUnaryCall<_vds_auth_v1_MintPreviewTokenRequestOut, _vds_auth_v1_PlaybackToken>;
  
  /**
   * Makes the change in a transaction that is rolled back: what it would do, or the error that it would fail with.
   */
  PreviewChange: grpc.handleUnaryCall<_vds_auth_v1_PreviewChangeRequestOut, _vds_auth_v1_ChangePreview>;
  
  RenameOrganization: grpc.handleUnaryCall<_vds_auth_v1_RenameOrganizationRequestOut, _vds_auth_v1_Organization>;
  
  RevokeKey: grpc.handleUnaryCall<_vds_auth_v1_RevokeKeyRequestOut, _vds_auth_v1_Key>;
  
  RevokeStaff: grpc.handleUnaryCall<_vds_auth_v1_RevokeStaffRequestOut, _vds_auth_v1_StaffMember>;
  
  /**
   * Issues a new key and revokes the old one in one transaction; scopes, limits and day budget carry over.
   */
  RotateKey: grpc.handleUnaryCall<_vds_auth_v1_RotateKeyRequestOut, _vds_auth_v1_IssuedKey>;
  
  /**
   * Publishes the next signing key; it signs once every verifier has had time to fetch it.
   */
  RotateSigningKey: grpc.handleUnaryCall<_vds_auth_v1_RotateSigningKeyRequestOut, _vds_auth_v1_SigningKey>;
  
  SetLimits: grpc.handleUnaryCall<_vds_auth_v1_SetLimitsRequestOut, _vds_auth_v1_Key>;
  
  /**
   * Suspended: its keys authenticate no more, as if they were revoked; its videos stay as they are.
   */
  SetSuspension: grpc.handleUnaryCall<_vds_auth_v1_SetSuspensionRequestOut, _vds_auth_v1_Publisher>;
  
  /**
   * Changes the names that are set.
   */
  UpdatePublisher: grpc.handleUnaryCall<_vds_auth_v1_UpdatePublisherRequestOut, _vds_auth_v1_Publisher>;
  
}

export interface AuthAdminDefinition extends grpc.ServiceDefinition {
  AddStaff: MethodDefinition<_vds_auth_v1_AddStaffRequest, _vds_auth_v1_AddedStaff, _vds_auth_v1_AddStaffRequestOut, _vds_auth_v1_AddedStaffOut>
  CreateOrganization: MethodDefinition<_vds_auth_v1_CreateOrganizationRequest, _vds_auth_v1_Organization, _vds_auth_v1_CreateOrganizationRequestOut, _vds_auth_v1_OrganizationOut>
  CreatePublisher: MethodDefinition<_vds_auth_v1_CreatePublisherRequest, _vds_auth_v1_Publisher, _vds_auth_v1_CreatePublisherRequestOut, _vds_auth_v1_PublisherOut>
  ExchangeStaffToken: MethodDefinition<_vds_auth_v1_ExchangeStaffTokenRequest, _vds_auth_v1_StaffToken, _vds_auth_v1_ExchangeStaffTokenRequestOut, _vds_auth_v1_StaffTokenOut>
  GetKey: MethodDefinition<_vds_auth_v1_GetKeyRequest, _vds_auth_v1_Key, _vds_auth_v1_GetKeyRequestOut, _vds_auth_v1_KeyOut>
  GetPublisher: MethodDefinition<_vds_auth_v1_GetPublisherRequest, _vds_auth_v1_Publisher, _vds_auth_v1_GetPublisherRequestOut, _vds_auth_v1_PublisherOut>
  IssueKey: MethodDefinition<_vds_auth_v1_IssueKeyRequest, _vds_auth_v1_IssuedKey, _vds_auth_v1_IssueKeyRequestOut, _vds_auth_v1_IssuedKeyOut>
  ListAudit: MethodDefinition<_vds_auth_v1_ListAuditRequest, _vds_auth_v1_ListAuditReply, _vds_auth_v1_ListAuditRequestOut, _vds_auth_v1_ListAuditReplyOut>
  ListKeys: MethodDefinition<_vds_auth_v1_ListKeysRequest, _vds_auth_v1_ListKeysReply, _vds_auth_v1_ListKeysRequestOut, _vds_auth_v1_ListKeysReplyOut>
  ListOrganizations: MethodDefinition<_vds_auth_v1_ListOrganizationsRequest, _vds_auth_v1_ListOrganizationsReply, _vds_auth_v1_ListOrganizationsRequestOut, _vds_auth_v1_ListOrganizationsReplyOut>
  ListPublishers: MethodDefinition<_vds_auth_v1_ListPublishersRequest, _vds_auth_v1_ListPublishersReply, _vds_auth_v1_ListPublishersRequestOut, _vds_auth_v1_ListPublishersReplyOut>
  ListStaff: MethodDefinition<_vds_auth_v1_ListStaffRequest, _vds_auth_v1_ListStaffReply, _vds_auth_v1_ListStaffRequestOut, _vds_auth_v1_ListStaffReplyOut>
  MintPreviewToken: MethodDefinition<_vds_auth_v1_MintPreviewTokenRequest, _vds_auth_v1_PlaybackToken, _vds_auth_v1_MintPreviewTokenRequestOut, _vds_auth_v1_PlaybackTokenOut>
  PreviewChange: MethodDefinition<_vds_auth_v1_PreviewChangeRequest, _vds_auth_v1_ChangePreview, _vds_auth_v1_PreviewChangeRequestOut, _vds_auth_v1_ChangePreviewOut>
  RenameOrganization: MethodDefinition<_vds_auth_v1_RenameOrganizationRequest, _vds_auth_v1_Organization, _vds_auth_v1_RenameOrganizationRequestOut, _vds_auth_v1_OrganizationOut>
  RevokeKey: MethodDefinition<_vds_auth_v1_RevokeKeyRequest, _vds_auth_v1_Key, _vds_auth_v1_RevokeKeyRequestOut, _vds_auth_v1_KeyOut>
  RevokeStaff: MethodDefinition<_vds_auth_v1_RevokeStaffRequest, _vds_auth_v1_StaffMember, _vds_auth_v1_RevokeStaffRequestOut, _vds_auth_v1_StaffMemberOut>
  RotateKey: MethodDefinition<_vds_auth_v1_RotateKeyRequest, _vds_auth_v1_IssuedKey, _vds_auth_v1_RotateKeyRequestOut, _vds_auth_v1_IssuedKeyOut>
  RotateSigningKey: MethodDefinition<_vds_auth_v1_RotateSigningKeyRequest, _vds_auth_v1_SigningKey, _vds_auth_v1_RotateSigningKeyRequestOut, _vds_auth_v1_SigningKeyOut>
  SetLimits: MethodDefinition<_vds_auth_v1_SetLimitsRequest, _vds_auth_v1_Key, _vds_auth_v1_SetLimitsRequestOut, _vds_auth_v1_KeyOut>
  SetSuspension: MethodDefinition<_vds_auth_v1_SetSuspensionRequest, _vds_auth_v1_Publisher, _vds_auth_v1_SetSuspensionRequestOut, _vds_auth_v1_PublisherOut>
  UpdatePublisher: MethodDefinition<_vds_auth_v1_UpdatePublisherRequest, _vds_auth_v1_Publisher, _vds_auth_v1_UpdatePublisherRequestOut, _vds_auth_v1_PublisherOut>
}
