// Original file: vds/catalog/v1/catalog.proto

import type { VideoState as _vds_catalog_v1_VideoState, VideoStateOut as _vds_catalog_v1_VideoStateOut } from '../../../vds/catalog/v1/VideoState.ts';

export interface ListPublisherVideosRequest {
  /**
   * Empty: of any.
   */
  'publisherId'?: (string);
  /**
   * Unspecified: in any state.
   */
  'state'?: (_vds_catalog_v1_VideoState);
  /**
   * At most 200, which is also what 0 means.
   */
  'pageSize'?: (number);
  /**
   * `next_cursor` of the page before; empty: the first page.
   */
  'cursor'?: (string);
  /**
   * Empty: of any.
   */
  'sport'?: (string);
  /**
   * RFC 3339: accepted since then; empty: ever.
   */
  'since'?: (string);
}

export interface ListPublisherVideosRequestOut {
  /**
   * Empty: of any.
   */
  'publisherId': (string);
  /**
   * Unspecified: in any state.
   */
  'state': (_vds_catalog_v1_VideoStateOut);
  /**
   * At most 200, which is also what 0 means.
   */
  'pageSize': (number);
  /**
   * `next_cursor` of the page before; empty: the first page.
   */
  'cursor': (string);
  /**
   * Empty: of any.
   */
  'sport': (string);
  /**
   * RFC 3339: accepted since then; empty: ever.
   */
  'since': (string);
}
