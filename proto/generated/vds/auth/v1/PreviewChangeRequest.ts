// Original file: vds/auth/v1/auth.proto

import type { CreatePublisherRequest as _vds_auth_v1_CreatePublisherRequest, CreatePublisherRequestOut as _vds_auth_v1_CreatePublisherRequestOut } from '../../../vds/auth/v1/CreatePublisherRequest.ts';
import type { UpdatePublisherRequest as _vds_auth_v1_UpdatePublisherRequest, UpdatePublisherRequestOut as _vds_auth_v1_UpdatePublisherRequestOut } from '../../../vds/auth/v1/UpdatePublisherRequest.ts';
import type { IssueKeyRequest as _vds_auth_v1_IssueKeyRequest, IssueKeyRequestOut as _vds_auth_v1_IssueKeyRequestOut } from '../../../vds/auth/v1/IssueKeyRequest.ts';
import type { RotateKeyRequest as _vds_auth_v1_RotateKeyRequest, RotateKeyRequestOut as _vds_auth_v1_RotateKeyRequestOut } from '../../../vds/auth/v1/RotateKeyRequest.ts';
import type { RevokeKeyRequest as _vds_auth_v1_RevokeKeyRequest, RevokeKeyRequestOut as _vds_auth_v1_RevokeKeyRequestOut } from '../../../vds/auth/v1/RevokeKeyRequest.ts';
import type { SetLimitsRequest as _vds_auth_v1_SetLimitsRequest, SetLimitsRequestOut as _vds_auth_v1_SetLimitsRequestOut } from '../../../vds/auth/v1/SetLimitsRequest.ts';
import type { RotateSigningKeyRequest as _vds_auth_v1_RotateSigningKeyRequest, RotateSigningKeyRequestOut as _vds_auth_v1_RotateSigningKeyRequestOut } from '../../../vds/auth/v1/RotateSigningKeyRequest.ts';
import type { CreateOrganizationRequest as _vds_auth_v1_CreateOrganizationRequest, CreateOrganizationRequestOut as _vds_auth_v1_CreateOrganizationRequestOut } from '../../../vds/auth/v1/CreateOrganizationRequest.ts';
import type { RenameOrganizationRequest as _vds_auth_v1_RenameOrganizationRequest, RenameOrganizationRequestOut as _vds_auth_v1_RenameOrganizationRequestOut } from '../../../vds/auth/v1/RenameOrganizationRequest.ts';
import type { SetSuspensionRequest as _vds_auth_v1_SetSuspensionRequest, SetSuspensionRequestOut as _vds_auth_v1_SetSuspensionRequestOut } from '../../../vds/auth/v1/SetSuspensionRequest.ts';
import type { AddStaffRequest as _vds_auth_v1_AddStaffRequest, AddStaffRequestOut as _vds_auth_v1_AddStaffRequestOut } from '../../../vds/auth/v1/AddStaffRequest.ts';
import type { RevokeStaffRequest as _vds_auth_v1_RevokeStaffRequest, RevokeStaffRequestOut as _vds_auth_v1_RevokeStaffRequestOut } from '../../../vds/auth/v1/RevokeStaffRequest.ts';

export interface PreviewChangeRequest {
  'createPublisher'?: (_vds_auth_v1_CreatePublisherRequest | null);
  'updatePublisher'?: (_vds_auth_v1_UpdatePublisherRequest | null);
  'issueKey'?: (_vds_auth_v1_IssueKeyRequest | null);
  'rotateKey'?: (_vds_auth_v1_RotateKeyRequest | null);
  'revokeKey'?: (_vds_auth_v1_RevokeKeyRequest | null);
  'setLimits'?: (_vds_auth_v1_SetLimitsRequest | null);
  'rotateSigningKey'?: (_vds_auth_v1_RotateSigningKeyRequest | null);
  'createOrganization'?: (_vds_auth_v1_CreateOrganizationRequest | null);
  'renameOrganization'?: (_vds_auth_v1_RenameOrganizationRequest | null);
  'setSuspension'?: (_vds_auth_v1_SetSuspensionRequest | null);
  'addStaff'?: (_vds_auth_v1_AddStaffRequest | null);
  'revokeStaff'?: (_vds_auth_v1_RevokeStaffRequest | null);
  'change'?: "createPublisher"|"updatePublisher"|"issueKey"|"rotateKey"|"revokeKey"|"setLimits"|"rotateSigningKey"|"createOrganization"|"renameOrganization"|"setSuspension"|"addStaff"|"revokeStaff";
}

export interface PreviewChangeRequestOut {
  'createPublisher'?: (_vds_auth_v1_CreatePublisherRequestOut | null);
  'updatePublisher'?: (_vds_auth_v1_UpdatePublisherRequestOut | null);
  'issueKey'?: (_vds_auth_v1_IssueKeyRequestOut | null);
  'rotateKey'?: (_vds_auth_v1_RotateKeyRequestOut | null);
  'revokeKey'?: (_vds_auth_v1_RevokeKeyRequestOut | null);
  'setLimits'?: (_vds_auth_v1_SetLimitsRequestOut | null);
  'rotateSigningKey'?: (_vds_auth_v1_RotateSigningKeyRequestOut | null);
  'createOrganization'?: (_vds_auth_v1_CreateOrganizationRequestOut | null);
  'renameOrganization'?: (_vds_auth_v1_RenameOrganizationRequestOut | null);
  'setSuspension'?: (_vds_auth_v1_SetSuspensionRequestOut | null);
  'addStaff'?: (_vds_auth_v1_AddStaffRequestOut | null);
  'revokeStaff'?: (_vds_auth_v1_RevokeStaffRequestOut | null);
  'change'?: "createPublisher"|"updatePublisher"|"issueKey"|"rotateKey"|"revokeKey"|"setLimits"|"rotateSigningKey"|"createOrganization"|"renameOrganization"|"setSuspension"|"addStaff"|"revokeStaff";
}
