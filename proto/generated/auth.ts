import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AddStaffRequest as _vds_auth_v1_AddStaffRequest, AddStaffRequestOut as _vds_auth_v1_AddStaffRequestOut } from './vds/auth/v1/AddStaffRequest.ts';
import type { AddedStaff as _vds_auth_v1_AddedStaff, AddedStaffOut as _vds_auth_v1_AddedStaffOut } from './vds/auth/v1/AddedStaff.ts';
import type { AuditEntry as _vds_auth_v1_AuditEntry, AuditEntryOut as _vds_auth_v1_AuditEntryOut } from './vds/auth/v1/AuditEntry.ts';
import type { AuthAdminClient as _vds_auth_v1_AuthAdminClient, AuthAdminDefinition as _vds_auth_v1_AuthAdminDefinition } from './vds/auth/v1/AuthAdmin.ts';
import type { AuthServiceClient as _vds_auth_v1_AuthServiceClient, AuthServiceDefinition as _vds_auth_v1_AuthServiceDefinition } from './vds/auth/v1/AuthService.ts';
import type { AuthorizeReply as _vds_auth_v1_AuthorizeReply, AuthorizeReplyOut as _vds_auth_v1_AuthorizeReplyOut } from './vds/auth/v1/AuthorizeReply.ts';
import type { AuthorizeRequest as _vds_auth_v1_AuthorizeRequest, AuthorizeRequestOut as _vds_auth_v1_AuthorizeRequestOut } from './vds/auth/v1/AuthorizeRequest.ts';
import type { ChangePreview as _vds_auth_v1_ChangePreview, ChangePreviewOut as _vds_auth_v1_ChangePreviewOut } from './vds/auth/v1/ChangePreview.ts';
import type { CreateOrganizationRequest as _vds_auth_v1_CreateOrganizationRequest, CreateOrganizationRequestOut as _vds_auth_v1_CreateOrganizationRequestOut } from './vds/auth/v1/CreateOrganizationRequest.ts';
import type { CreatePublisherRequest as _vds_auth_v1_CreatePublisherRequest, CreatePublisherRequestOut as _vds_auth_v1_CreatePublisherRequestOut } from './vds/auth/v1/CreatePublisherRequest.ts';
import type { DescribePublisherRequest as _vds_auth_v1_DescribePublisherRequest, DescribePublisherRequestOut as _vds_auth_v1_DescribePublisherRequestOut } from './vds/auth/v1/DescribePublisherRequest.ts';
import type { Excerpt as _vds_auth_v1_Excerpt, ExcerptOut as _vds_auth_v1_ExcerptOut } from './vds/auth/v1/Excerpt.ts';
import type { ExchangeStaffTokenRequest as _vds_auth_v1_ExchangeStaffTokenRequest, ExchangeStaffTokenRequestOut as _vds_auth_v1_ExchangeStaffTokenRequestOut } from './vds/auth/v1/ExchangeStaffTokenRequest.ts';
import type { GetJwksRequest as _vds_auth_v1_GetJwksRequest, GetJwksRequestOut as _vds_auth_v1_GetJwksRequestOut } from './vds/auth/v1/GetJwksRequest.ts';
import type { GetKeyRequest as _vds_auth_v1_GetKeyRequest, GetKeyRequestOut as _vds_auth_v1_GetKeyRequestOut } from './vds/auth/v1/GetKeyRequest.ts';
import type { GetPublisherRequest as _vds_auth_v1_GetPublisherRequest, GetPublisherRequestOut as _vds_auth_v1_GetPublisherRequestOut } from './vds/auth/v1/GetPublisherRequest.ts';
import type { IssueKeyRequest as _vds_auth_v1_IssueKeyRequest, IssueKeyRequestOut as _vds_auth_v1_IssueKeyRequestOut } from './vds/auth/v1/IssueKeyRequest.ts';
import type { IssuedKey as _vds_auth_v1_IssuedKey, IssuedKeyOut as _vds_auth_v1_IssuedKeyOut } from './vds/auth/v1/IssuedKey.ts';
import type { Jwks as _vds_auth_v1_Jwks, JwksOut as _vds_auth_v1_JwksOut } from './vds/auth/v1/Jwks.ts';
import type { Key as _vds_auth_v1_Key, KeyOut as _vds_auth_v1_KeyOut } from './vds/auth/v1/Key.ts';
import type { ListAuditReply as _vds_auth_v1_ListAuditReply, ListAuditReplyOut as _vds_auth_v1_ListAuditReplyOut } from './vds/auth/v1/ListAuditReply.ts';
import type { ListAuditRequest as _vds_auth_v1_ListAuditRequest, ListAuditRequestOut as _vds_auth_v1_ListAuditRequestOut } from './vds/auth/v1/ListAuditRequest.ts';
import type { ListKeysReply as _vds_auth_v1_ListKeysReply, ListKeysReplyOut as _vds_auth_v1_ListKeysReplyOut } from './vds/auth/v1/ListKeysReply.ts';
import type { ListKeysRequest as _vds_auth_v1_ListKeysRequest, ListKeysRequestOut as _vds_auth_v1_ListKeysRequestOut } from './vds/auth/v1/ListKeysRequest.ts';
import type { ListOrganizationsReply as _vds_auth_v1_ListOrganizationsReply, ListOrganizationsReplyOut as _vds_auth_v1_ListOrganizationsReplyOut } from './vds/auth/v1/ListOrganizationsReply.ts';
import type { ListOrganizationsRequest as _vds_auth_v1_ListOrganizationsRequest, ListOrganizationsRequestOut as _vds_auth_v1_ListOrganizationsRequestOut } from './vds/auth/v1/ListOrganizationsRequest.ts';
import type { ListPublishersReply as _vds_auth_v1_ListPublishersReply, ListPublishersReplyOut as _vds_auth_v1_ListPublishersReplyOut } from './vds/auth/v1/ListPublishersReply.ts';
import type { ListPublishersRequest as _vds_auth_v1_ListPublishersRequest, ListPublishersRequestOut as _vds_auth_v1_ListPublishersRequestOut } from './vds/auth/v1/ListPublishersRequest.ts';
import type { ListStaffReply as _vds_auth_v1_ListStaffReply, ListStaffReplyOut as _vds_auth_v1_ListStaffReplyOut } from './vds/auth/v1/ListStaffReply.ts';
import type { ListStaffRequest as _vds_auth_v1_ListStaffRequest, ListStaffRequestOut as _vds_auth_v1_ListStaffRequestOut } from './vds/auth/v1/ListStaffRequest.ts';
import type { MintPlaybackTokenRequest as _vds_auth_v1_MintPlaybackTokenRequest, MintPlaybackTokenRequestOut as _vds_auth_v1_MintPlaybackTokenRequestOut } from './vds/auth/v1/MintPlaybackTokenRequest.ts';
import type { MintPreviewTokenRequest as _vds_auth_v1_MintPreviewTokenRequest, MintPreviewTokenRequestOut as _vds_auth_v1_MintPreviewTokenRequestOut } from './vds/auth/v1/MintPreviewTokenRequest.ts';
import type { MinuteWindow as _vds_auth_v1_MinuteWindow, MinuteWindowOut as _vds_auth_v1_MinuteWindowOut } from './vds/auth/v1/MinuteWindow.ts';
import type { Organization as _vds_auth_v1_Organization, OrganizationOut as _vds_auth_v1_OrganizationOut } from './vds/auth/v1/Organization.ts';
import type { PlaybackToken as _vds_auth_v1_PlaybackToken, PlaybackTokenOut as _vds_auth_v1_PlaybackTokenOut } from './vds/auth/v1/PlaybackToken.ts';
import type { PreviewChangeRequest as _vds_auth_v1_PreviewChangeRequest, PreviewChangeRequestOut as _vds_auth_v1_PreviewChangeRequestOut } from './vds/auth/v1/PreviewChangeRequest.ts';
import type { Publisher as _vds_auth_v1_Publisher, PublisherOut as _vds_auth_v1_PublisherOut } from './vds/auth/v1/Publisher.ts';
import type { PublisherDescription as _vds_auth_v1_PublisherDescription, PublisherDescriptionOut as _vds_auth_v1_PublisherDescriptionOut } from './vds/auth/v1/PublisherDescription.ts';
import type { RenameOrganizationRequest as _vds_auth_v1_RenameOrganizationRequest, RenameOrganizationRequestOut as _vds_auth_v1_RenameOrganizationRequestOut } from './vds/auth/v1/RenameOrganizationRequest.ts';
import type { RevokeKeyRequest as _vds_auth_v1_RevokeKeyRequest, RevokeKeyRequestOut as _vds_auth_v1_RevokeKeyRequestOut } from './vds/auth/v1/RevokeKeyRequest.ts';
import type { RevokeStaffRequest as _vds_auth_v1_RevokeStaffRequest, RevokeStaffRequestOut as _vds_auth_v1_RevokeStaffRequestOut } from './vds/auth/v1/RevokeStaffRequest.ts';
import type { RotateKeyRequest as _vds_auth_v1_RotateKeyRequest, RotateKeyRequestOut as _vds_auth_v1_RotateKeyRequestOut } from './vds/auth/v1/RotateKeyRequest.ts';
import type { RotateSigningKeyRequest as _vds_auth_v1_RotateSigningKeyRequest, RotateSigningKeyRequestOut as _vds_auth_v1_RotateSigningKeyRequestOut } from './vds/auth/v1/RotateSigningKeyRequest.ts';
import type { SetLimitsRequest as _vds_auth_v1_SetLimitsRequest, SetLimitsRequestOut as _vds_auth_v1_SetLimitsRequestOut } from './vds/auth/v1/SetLimitsRequest.ts';
import type { SetSuspensionRequest as _vds_auth_v1_SetSuspensionRequest, SetSuspensionRequestOut as _vds_auth_v1_SetSuspensionRequestOut } from './vds/auth/v1/SetSuspensionRequest.ts';
import type { SigningKey as _vds_auth_v1_SigningKey, SigningKeyOut as _vds_auth_v1_SigningKeyOut } from './vds/auth/v1/SigningKey.ts';
import type { StaffMember as _vds_auth_v1_StaffMember, StaffMemberOut as _vds_auth_v1_StaffMemberOut } from './vds/auth/v1/StaffMember.ts';
import type { StaffToken as _vds_auth_v1_StaffToken, StaffTokenOut as _vds_auth_v1_StaffTokenOut } from './vds/auth/v1/StaffToken.ts';
import type { UpdatePublisherRequest as _vds_auth_v1_UpdatePublisherRequest, UpdatePublisherRequestOut as _vds_auth_v1_UpdatePublisherRequestOut } from './vds/auth/v1/UpdatePublisherRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    auth: {
      v1: {
        AddStaffRequest: MessageTypeDefinition<_vds_auth_v1_AddStaffRequest, _vds_auth_v1_AddStaffRequestOut>
        AddedStaff: MessageTypeDefinition<_vds_auth_v1_AddedStaff, _vds_auth_v1_AddedStaffOut>
        AuditEntry: MessageTypeDefinition<_vds_auth_v1_AuditEntry, _vds_auth_v1_AuditEntryOut>
        /**
         * Administration by the operator's staff; served on the admin port only. Every change writes an audit row in its own
         * transaction, with who made it and `reason`: the person whose token the caller has, else `actor` (empty: the calling
         * service). Neither may contain a key.
         */
        AuthAdmin: SubtypeConstructor<typeof grpc.Client, _vds_auth_v1_AuthAdminClient> & { service: _vds_auth_v1_AuthAdminDefinition }
        /**
         * Authorization of partner requests, and playback tokens.
         */
        AuthService: SubtypeConstructor<typeof grpc.Client, _vds_auth_v1_AuthServiceClient> & { service: _vds_auth_v1_AuthServiceDefinition }
        AuthorizeReply: MessageTypeDefinition<_vds_auth_v1_AuthorizeReply, _vds_auth_v1_AuthorizeReplyOut>
        AuthorizeRequest: MessageTypeDefinition<_vds_auth_v1_AuthorizeRequest, _vds_auth_v1_AuthorizeRequestOut>
        ChangePreview: MessageTypeDefinition<_vds_auth_v1_ChangePreview, _vds_auth_v1_ChangePreviewOut>
        CreateOrganizationRequest: MessageTypeDefinition<_vds_auth_v1_CreateOrganizationRequest, _vds_auth_v1_CreateOrganizationRequestOut>
        CreatePublisherRequest: MessageTypeDefinition<_vds_auth_v1_CreatePublisherRequest, _vds_auth_v1_CreatePublisherRequestOut>
        DescribePublisherRequest: MessageTypeDefinition<_vds_auth_v1_DescribePublisherRequest, _vds_auth_v1_DescribePublisherRequestOut>
        Excerpt: MessageTypeDefinition<_vds_auth_v1_Excerpt, _vds_auth_v1_ExcerptOut>
        ExchangeStaffTokenRequest: MessageTypeDefinition<_vds_auth_v1_ExchangeStaffTokenRequest, _vds_auth_v1_ExchangeStaffTokenRequestOut>
        GetJwksRequest: MessageTypeDefinition<_vds_auth_v1_GetJwksRequest, _vds_auth_v1_GetJwksRequestOut>
        GetKeyRequest: MessageTypeDefinition<_vds_auth_v1_GetKeyRequest, _vds_auth_v1_GetKeyRequestOut>
        GetPublisherRequest: MessageTypeDefinition<_vds_auth_v1_GetPublisherRequest, _vds_auth_v1_GetPublisherRequestOut>
        IssueKeyRequest: MessageTypeDefinition<_vds_auth_v1_IssueKeyRequest, _vds_auth_v1_IssueKeyRequestOut>
        IssuedKey: MessageTypeDefinition<_vds_auth_v1_IssuedKey, _vds_auth_v1_IssuedKeyOut>
        Jwks: MessageTypeDefinition<_vds_auth_v1_Jwks, _vds_auth_v1_JwksOut>
        Key: MessageTypeDefinition<_vds_auth_v1_Key, _vds_auth_v1_KeyOut>
        ListAuditReply: MessageTypeDefinition<_vds_auth_v1_ListAuditReply, _vds_auth_v1_ListAuditReplyOut>
        ListAuditRequest: MessageTypeDefinition<_vds_auth_v1_ListAuditRequest, _vds_auth_v1_ListAuditRequestOut>
        ListKeysReply: MessageTypeDefinition<_vds_auth_v1_ListKeysReply, _vds_auth_v1_ListKeysReplyOut>
        ListKeysRequest: MessageTypeDefinition<_vds_auth_v1_ListKeysRequest, _vds_auth_v1_ListKeysRequestOut>
        ListOrganizationsReply: MessageTypeDefinition<_vds_auth_v1_ListOrganizationsReply, _vds_auth_v1_ListOrganizationsReplyOut>
        ListOrganizationsRequest: MessageTypeDefinition<_vds_auth_v1_ListOrganizationsRequest, _vds_auth_v1_ListOrganizationsRequestOut>
        ListPublishersReply: MessageTypeDefinition<_vds_auth_v1_ListPublishersReply, _vds_auth_v1_ListPublishersReplyOut>
        ListPublishersRequest: MessageTypeDefinition<_vds_auth_v1_ListPublishersRequest, _vds_auth_v1_ListPublishersRequestOut>
        ListStaffReply: MessageTypeDefinition<_vds_auth_v1_ListStaffReply, _vds_auth_v1_ListStaffReplyOut>
        ListStaffRequest: MessageTypeDefinition<_vds_auth_v1_ListStaffRequest, _vds_auth_v1_ListStaffRequestOut>
        MintPlaybackTokenRequest: MessageTypeDefinition<_vds_auth_v1_MintPlaybackTokenRequest, _vds_auth_v1_MintPlaybackTokenRequestOut>
        MintPreviewTokenRequest: MessageTypeDefinition<_vds_auth_v1_MintPreviewTokenRequest, _vds_auth_v1_MintPreviewTokenRequestOut>
        MinuteWindow: MessageTypeDefinition<_vds_auth_v1_MinuteWindow, _vds_auth_v1_MinuteWindowOut>
        Organization: MessageTypeDefinition<_vds_auth_v1_Organization, _vds_auth_v1_OrganizationOut>
        PlaybackToken: MessageTypeDefinition<_vds_auth_v1_PlaybackToken, _vds_auth_v1_PlaybackTokenOut>
        PreviewChangeRequest: MessageTypeDefinition<_vds_auth_v1_PreviewChangeRequest, _vds_auth_v1_PreviewChangeRequestOut>
        Publisher: MessageTypeDefinition<_vds_auth_v1_Publisher, _vds_auth_v1_PublisherOut>
        PublisherDescription: MessageTypeDefinition<_vds_auth_v1_PublisherDescription, _vds_auth_v1_PublisherDescriptionOut>
        RenameOrganizationRequest: MessageTypeDefinition<_vds_auth_v1_RenameOrganizationRequest, _vds_auth_v1_RenameOrganizationRequestOut>
        RevokeKeyRequest: MessageTypeDefinition<_vds_auth_v1_RevokeKeyRequest, _vds_auth_v1_RevokeKeyRequestOut>
        RevokeStaffRequest: MessageTypeDefinition<_vds_auth_v1_RevokeStaffRequest, _vds_auth_v1_RevokeStaffRequestOut>
        RotateKeyRequest: MessageTypeDefinition<_vds_auth_v1_RotateKeyRequest, _vds_auth_v1_RotateKeyRequestOut>
        RotateSigningKeyRequest: MessageTypeDefinition<_vds_auth_v1_RotateSigningKeyRequest, _vds_auth_v1_RotateSigningKeyRequestOut>
        SetLimitsRequest: MessageTypeDefinition<_vds_auth_v1_SetLimitsRequest, _vds_auth_v1_SetLimitsRequestOut>
        SetSuspensionRequest: MessageTypeDefinition<_vds_auth_v1_SetSuspensionRequest, _vds_auth_v1_SetSuspensionRequestOut>
        SigningKey: MessageTypeDefinition<_vds_auth_v1_SigningKey, _vds_auth_v1_SigningKeyOut>
        StaffMember: MessageTypeDefinition<_vds_auth_v1_StaffMember, _vds_auth_v1_StaffMemberOut>
        StaffToken: MessageTypeDefinition<_vds_auth_v1_StaffToken, _vds_auth_v1_StaffTokenOut>
        UpdatePublisherRequest: MessageTypeDefinition<_vds_auth_v1_UpdatePublisherRequest, _vds_auth_v1_UpdatePublisherRequestOut>
      }
    }
  }
}

