// Original file: vds/catalog/v1/catalog.proto

import type { Clip as _vds_catalog_v1_Clip, ClipOut as _vds_catalog_v1_ClipOut } from '../../../vds/catalog/v1/Clip.ts';
import type { Track as _vds_captions_v1_Track, TrackOut as _vds_captions_v1_TrackOut } from '../../../vds/captions/v1/Track.ts';
import type { Long } from '@grpc/proto-loader';

export interface Indexable {
  'videoId'?: (string);
  'version'?: (number | string | Long);
  /**
   * False: write a tombstone.
   */
  'live'?: (boolean);
  'clip'?: (_vds_catalog_v1_Clip | null);
  /**
   * Those that are ready; the keys are of the captions bucket.
   */
  'tracks'?: (_vds_captions_v1_Track)[];
  '_clip'?: "clip";
}

export interface IndexableOut {
  'videoId': (string);
  'version': (number);
  /**
   * False: write a tombstone.
   */
  'live': (boolean);
  'clip'?: (_vds_catalog_v1_ClipOut | null);
  /**
   * Those that are ready; the keys are of the captions bucket.
   */
  'tracks': (_vds_captions_v1_TrackOut)[];
  '_clip'?: "clip";
}
