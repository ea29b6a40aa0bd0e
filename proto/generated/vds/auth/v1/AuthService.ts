// Original file: vds/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AuthorizeReply as _vds_auth_v1_AuthorizeReply, AuthorizeReplyOut as _vds_auth_v1_AuthorizeReplyOut } from '../../../vds/auth/v1/AuthorizeReply.ts';
import type { AuthorizeRequest as _vds_auth_v1_AuthorizeRequest, AuthorizeRequestOut as _vds_auth_v1_AuthorizeRequestOut } from '../../../vds/auth/v1/AuthorizeRequest.ts';
import type { DescribePublisherRequest as _vds_auth_v1_DescribePublisherRequest, DescribePublisherRequestOut as _vds_auth_v1_DescribePublisherRequestOut } from '../../../vds/auth/v1/DescribePublisherRequest.ts';
import type { GetJwksRequest as _vds_auth_v1_GetJwksRequest, GetJwksRequestOut as _vds_auth_v1_GetJwksRequestOut } from '../../../vds/auth/v1/GetJwksRequest.ts';
import type { Jwks as _vds_auth_v1_Jwks, JwksOut as _vds_auth_v1_JwksOut } from '../../../vds/auth/v1/Jwks.ts';
import type { MintPlaybackTokenRequest as _vds_auth_v1_MintPlaybackTokenRequest, MintPlaybackTokenRequestOut as _vds_auth_v1_MintPlaybackTokenRequestOut } from '../../../vds/auth/v1/MintPlaybackTokenRequest.ts';
import type { PlaybackToken as _vds_auth_v1_PlaybackToken, PlaybackTokenOut as _vds_auth_v1_PlaybackTokenOut } from '../../../vds/auth/v1/PlaybackToken.ts';
import type { PublisherDescription as _vds_auth_v1_PublisherDescription, PublisherDescriptionOut as _vds_auth_v1_PublisherDescriptionOut } from '../../../vds/auth/v1/PublisherDescription.ts';

/**
 * Authorization of partner requests, and playback tokens.
 */
export interface AuthServiceClient extends grpc.Client {
  /**
   * Checks a key and counts the request against its minute limit. UNAUTHENTICATED for a malformed, unknown or revoked key.
   */
  Authorize(argument: _vds_auth_v1_AuthorizeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_AuthorizeReplyOut>): grpc.ClientUnaryCall;
  Authorize(argument: _vds_auth_v1_AuthorizeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_AuthorizeReplyOut>): grpc.ClientUnaryCall;
  Authorize(argument: _vds_auth_v1_AuthorizeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_AuthorizeReplyOut>): grpc.ClientUnaryCall;
  Authorize(argument: _vds_auth_v1_AuthorizeRequest, callback: grpc.requestCallback<_vds_auth_v1_AuthorizeReplyOut>): grpc.ClientUnaryCall;
  /**
   * Checks a key and counts the request against its minute limit. UNAUTHENTICATED for a malformed, unknown or revoked key.
   */
  authorize(argument: _vds_auth_v1_AuthorizeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_AuthorizeReplyOut>): grpc.ClientUnaryCall;
  authorize(argument: _vds_auth_v1_AuthorizeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_AuthorizeReplyOut>): grpc.ClientUnaryCall;
  authorize(argument: _vds_auth_v1_AuthorizeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_AuthorizeReplyOut>): grpc.ClientUnaryCall;
  authorize(argument: _vds_auth_v1_AuthorizeRequest, callback: grpc.requestCallback<_vds_auth_v1_AuthorizeReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * What performance data is recorded under: a publisher's organization, and the key of its viewers' hashes.
   */
  DescribePublisher(argument: _vds_auth_v1_DescribePublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherDescriptionOut>): grpc.ClientUnaryCall;
  DescribePublisher(argument: _vds_auth_v1_DescribePublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherDescriptionOut>): grpc.ClientUnaryCall;
  DescribePublisher(argument: _vds_auth_v1_DescribePublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherDescriptionOut>): grpc.ClientUnaryCall;
  DescribePublisher(argument: _vds_auth_v1_DescribePublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherDescriptionOut>): grpc.ClientUnaryCall;
  /**
   * What performance data is recorded under: a publisher's organization, and the key of its viewers' hashes.
   */
  describePublisher(argument: _vds_auth_v1_DescribePublisherRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherDescriptionOut>): grpc.ClientUnaryCall;
  describePublisher(argument: _vds_auth_v1_DescribePublisherRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PublisherDescriptionOut>): grpc.ClientUnaryCall;
  describePublisher(argument: _vds_auth_v1_DescribePublisherRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PublisherDescriptionOut>): grpc.ClientUnaryCall;
  describePublisher(argument: _vds_auth_v1_DescribePublisherRequest, callback: grpc.requestCallback<_vds_auth_v1_PublisherDescriptionOut>): grpc.ClientUnaryCall;
  
  /**
   * The public keys that verify playback tokens (RFC 7517).
   */
  GetJwks(argument: _vds_auth_v1_GetJwksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_JwksOut>): grpc.ClientUnaryCall;
  GetJwks(argument: _vds_auth_v1_GetJwksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_JwksOut>): grpc.ClientUnaryCall;
  GetJwks(argument: _vds_auth_v1_GetJwksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_JwksOut>): grpc.ClientUnaryCall;
  GetJwks(argument: _vds_auth_v1_GetJwksRequest, callback: grpc.requestCallback<_vds_auth_v1_JwksOut>): grpc.ClientUnaryCall;
  /**
   * The public keys that verify playback tokens (RFC 7517).
   */
  getJwks(argument: _vds_auth_v1_GetJwksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_JwksOut>): grpc.ClientUnaryCall;
  getJwks(argument: _vds_auth_v1_GetJwksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_JwksOut>): grpc.ClientUnaryCall;
  getJwks(argument: _vds_auth_v1_GetJwksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_JwksOut>): grpc.ClientUnaryCall;
  getJwks(argument: _vds_auth_v1_GetJwksRequest, callback: grpc.requestCallback<_vds_auth_v1_JwksOut>): grpc.ClientUnaryCall;
  
  /**
   * Signs a playback token for one playback id; for apps, where the platform lets them, also for a video that is still
   * being processed. PERMISSION_DENIED for such a video otherwise.
   */
  MintPlaybackToken(argument: _vds_auth_v1_MintPlaybackTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  MintPlaybackToken(argument: _vds_auth_v1_MintPlaybackTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  MintPlaybackToken(argument: _vds_auth_v1_MintPlaybackTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  MintPlaybackToken(argument: _vds_auth_v1_MintPlaybackTokenRequest, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  /**
   * Signs a playback token for one playback id; for apps, where the platform lets them, also for a video that is still
   * being processed. PERMISSION_DENIED for such a video otherwise.
   */
  mintPlaybackToken(argument: _vds_auth_v1_MintPlaybackTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  mintPlaybackToken(argument: _vds_auth_v1_MintPlaybackTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  mintPlaybackToken(argument: _vds_auth_v1_MintPlaybackTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  mintPlaybackToken(argument: _vds_auth_v1_MintPlaybackTokenRequest, callback: grpc.requestCallback<_vds_auth_v1_PlaybackTokenOut>): grpc.ClientUnaryCall;
  
}

/**
 * Authorization of partner requests, and playback tokens.
 */
export interface AuthServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Checks a key and counts the request against its minute limit. UNAUTHENTICATED for a malformed, unknown or revoked key.
   */
  Authorize: grpc.handleUnaryCall<_vds_auth_v1_AuthorizeRequestOut, _vds_auth_v1_AuthorizeReply>;
  
  /**
   * What performance data is recorded under: a publisher's organization, and the key of its viewers' hashes.
   */
  DescribePublisher: grpc.handleUnaryCall<_vds_auth_v1_DescribePublisherRequestOut, _vds_auth_v1_PublisherDescription>;
  
  /**
   * The public keys that verify playback tokens (RFC 7517).
   */
  GetJwks: grpc.handleUnaryCall<_vds_auth_v1_GetJwksRequestOut, _vds_auth_v1_Jwks>;
  
  /**
   * Signs a playback token for one playback id; for apps, where the platform lets them, also for a video that is still
   * being processed. PERMISSION_DENIED for such a video otherwise.
   */
  MintPlaybackToken: grpc.handleUnaryCall<_vds_auth_v1_MintPlaybackTokenRequestOut, _vds_auth_v1_PlaybackToken>;
  
}

export interface AuthServiceDefinition extends grpc.ServiceDefinition {
  Authorize: MethodDefinition<_vds_auth_v1_AuthorizeRequest, _vds_auth_v1_AuthorizeReply, _vds_auth_v1_AuthorizeRequestOut, _vds_auth_v1_AuthorizeReplyOut>
  DescribePublisher: MethodDefinition<_vds_auth_v1_DescribePublisherRequest, _vds_auth_v1_PublisherDescription, _vds_auth_v1_DescribePublisherRequestOut, _vds_auth_v1_PublisherDescriptionOut>
  GetJwks: MethodDefinition<_vds_auth_v1_GetJwksRequest, _vds_auth_v1_Jwks, _vds_auth_v1_GetJwksRequestOut, _vds_auth_v1_JwksOut>
  MintPlaybackToken: MethodDefinition<_vds_auth_v1_MintPlaybackTokenRequest, _vds_auth_v1_PlaybackToken, _vds_auth_v1_MintPlaybackTokenRequestOut, _vds_auth_v1_PlaybackTokenOut>
}
