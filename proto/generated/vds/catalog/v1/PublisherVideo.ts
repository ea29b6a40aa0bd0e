// Original file: vds/catalog/v1/catalog.proto

import type { VideoState as _vds_catalog_v1_VideoState, VideoStateOut as _vds_catalog_v1_VideoStateOut } from '../../../vds/catalog/v1/VideoState.ts';

export interface PublisherVideo {
  'videoId'?: (string);
  'state'?: (_vds_catalog_v1_VideoState);
  'held'?: (boolean);
  'intent'?: (string);
  'title'?: (string);
  'createdAt'?: (string);
  'updatedAt'?: (string);
  /**
   * Of a failed video.
   */
  'failureCode'?: (string);
  'publisherId'?: (string);
  'sport'?: (string);
  '_failureCode'?: "failureCode";
  '_sport'?: "sport";
}

export interface PublisherVideoOut {
  'videoId': (string);
  'state': (_vds_catalog_v1_VideoStateOut);
  'held': (boolean);
  'intent': (string);
  'title': (string);
  'createdAt': (string);
  'updatedAt': (string);
  /**
   * Of a failed video.
   */
  'failureCode'?: (string);
  'publisherId': (string);
  'sport'?: (string);
  '_failureCode'?: "failureCode";
  '_sport'?: "sport";
}
