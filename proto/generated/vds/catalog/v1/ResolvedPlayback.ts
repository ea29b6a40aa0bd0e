// Original file: vds/catalog/v1/catalog.proto

import type { VideoState as _vds_catalog_v1_VideoState, VideoStateOut as _vds_catalog_v1_VideoStateOut } from '../../../vds/catalog/v1/VideoState.ts';
import type { Track as _vds_captions_v1_Track, TrackOut as _vds_captions_v1_TrackOut } from '../../../vds/captions/v1/Track.ts';
import type { Long } from '@grpc/proto-loader';

export interface ResolvedPlayback {
  'videoId'?: (string);
  'state'?: (_vds_catalog_v1_VideoState);
  /**
   * Absent: open. Otherwise how long viewers are still served, in milliseconds; 0 or less: they get 404. Never a time of day, which the clock of playback's host would judge.
   */
  'gateClosesInMs'?: (number | string | Long);
  /**
   * Keys in the media bucket.
   */
  'ladderKey'?: (string);
  'thumbnailKey'?: (string);
  'version'?: (number | string | Long);
  'durationMs'?: (number | string | Long);
  /**
   * Those that can be played, in the order of the menu.
   */
  'tracks'?: (_vds_captions_v1_Track)[];
  /**
   * By the operator: not even the thumbnail is served.
   */
  'held'?: (boolean);
  '_gateClosesInMs'?: "gateClosesInMs";
}

export interface ResolvedPlaybackOut {
  'videoId': (string);
  'state': (_vds_catalog_v1_VideoStateOut);
  /**
   * Absent: open. Otherwise how long viewers are still served, in milliseconds; 0 or less: they get 404. Never a time of day, which the clock of playback's host would judge.
   */
  'gateClosesInMs'?: (number);
  /**
   * Keys in the media bucket.
   */
  'ladderKey': (string);
  'thumbnailKey': (string);
  'version': (number);
  'durationMs': (number);
  /**
   * Those that can be played, in the order of the menu.
   */
  'tracks': (_vds_captions_v1_TrackOut)[];
  /**
   * By the operator: not even the thumbnail is served.
   */
  'held': (boolean);
  '_gateClosesInMs'?: "gateClosesInMs";
}
