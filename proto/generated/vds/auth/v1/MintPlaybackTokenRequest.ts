// Original file: vds/auth/v1/auth.proto

import type { Excerpt as _vds_auth_v1_Excerpt, ExcerptOut as _vds_auth_v1_ExcerptOut } from '../../../vds/auth/v1/Excerpt.ts';
import type { Long } from '@grpc/proto-loader';

export interface MintPlaybackTokenRequest {
  'playbackId'?: (string);
  /**
   * Duration of the video; the token is valid for max(6 h, twice this), at most 24 h.
   */
  'durationMs'?: (number | string | Long);
  /**
   * The caller's own id of the viewer, at most 128 characters; empty: unknown. The token carries a keyed hash of it.
   */
  'viewerId'?: (string);
  /**
   * Instead of a playback id: what is finished of a video that is still being processed.
   */
  'videoId'?: (string);
  /**
   * With a playback id: the token plays this part of the video alone.
   */
  'excerpt'?: (_vds_auth_v1_Excerpt | null);
}

export interface MintPlaybackTokenRequestOut {
  'playbackId': (string);
  /**
   * Duration of the video; the token is valid for max(6 h, twice this), at most 24 h.
   */
  'durationMs': (number);
  /**
   * The caller's own id of the viewer, at most 128 characters; empty: unknown. The token carries a keyed hash of it.
   */
  'viewerId': (string);
  /**
   * Instead of a playback id: what is finished of a video that is still being processed.
   */
  'videoId': (string);
  /**
   * With a playback id: the token plays this part of the video alone.
   */
  'excerpt': (_vds_auth_v1_ExcerptOut | null);
}
