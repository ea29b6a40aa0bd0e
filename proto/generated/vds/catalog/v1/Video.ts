// Original file: vds/catalog/v1/catalog.proto

import type { VideoState as _vds_catalog_v1_VideoState, VideoStateOut as _vds_catalog_v1_VideoStateOut } from '../../../vds/catalog/v1/VideoState.ts';
import type { Failure as _vds_catalog_v1_Failure, FailureOut as _vds_catalog_v1_FailureOut } from '../../../vds/catalog/v1/Failure.ts';
import type { SourceWarning as _vds_catalog_v1_SourceWarning, SourceWarningOut as _vds_catalog_v1_SourceWarningOut } from '../../../vds/catalog/v1/SourceWarning.ts';
import type { CaptionTrack as _vds_catalog_v1_CaptionTrack, CaptionTrackOut as _vds_catalog_v1_CaptionTrackOut } from '../../../vds/catalog/v1/CaptionTrack.ts';

/**
 * The partner's record; the gateway only renders it.
 */
export interface Video {
  'id'?: (string);
  'state'?: (_vds_catalog_v1_VideoState);
  'title'?: (string);
  'summary'?: (string);
  'tags'?: (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode'?: (string);
  /**
   * Whole seconds, rounded, at least 1; absent until probed and after deletion.
   */
  'durationSeconds'?: (number);
  /**
   * As the partner submitted it; present once processing is over.
   */
  'thumbnailUrl'?: (string);
  /**
   * Present while the video is ready.
   */
  'playbackId'?: (string);
  'createdAt'?: (string);
  'updatedAt'?: (string);
  /**
   * 0 to 100; present while processing.
   */
  'progress'?: (number);
  'failure'?: (_vds_catalog_v1_Failure | null);
  'sourceWarnings'?: (_vds_catalog_v1_SourceWarning)[];
  /**
   * The media's own playback id, also while archived by the partner: our thumbnail address is made from it.
   */
  'mediaPlaybackId'?: (string);
  /**
   * Present once processing is over, also while archived.
   */
  'captions'?: (_vds_catalog_v1_CaptionTrack)[];
  /**
   * archive or delete: what was asked for while processing, and happens when that ends.
   */
  'pending'?: (string);
  /**
   * A code of proto/failures.ts with which a try ended that is repeated, while processing.
   */
  'waiting'?: (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_languageCode'?: "languageCode";
  '_durationSeconds'?: "durationSeconds";
  '_thumbnailUrl'?: "thumbnailUrl";
  '_playbackId'?: "playbackId";
  '_updatedAt'?: "updatedAt";
  '_progress'?: "progress";
  '_failure'?: "failure";
  '_mediaPlaybackId'?: "mediaPlaybackId";
  '_pending'?: "pending";
  '_waiting'?: "waiting";
}

/**
 * The partner's record; the gateway only renders it.
 */
export interface VideoOut {
  'id': (string);
  'state': (_vds_catalog_v1_VideoStateOut);
  'title': (string);
  'summary'?: (string);
  'tags': (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode'?: (string);
  /**
   * Whole seconds, rounded, at least 1; absent until probed and after deletion.
   */
  'durationSeconds'?: (number);
  /**
   * As the partner submitted it; present once processing is over.
   */
  'thumbnailUrl'?: (string);
  /**
   * Present while the video is ready.
   */
  'playbackId'?: (string);
  'createdAt': (string);
  'updatedAt'?: (string);
  /**
   * 0 to 100; present while processing.
   */
  'progress'?: (number);
  'failure'?: (_vds_catalog_v1_FailureOut | null);
  'sourceWarnings': (_vds_catalog_v1_SourceWarningOut)[];
  /**
   * The media's own playback id, also while archived by the partner: our thumbnail address is made from it.
   */
  'mediaPlaybackId'?: (string);
  /**
   * Present once processing is over, also while archived.
   */
  'captions': (_vds_catalog_v1_CaptionTrackOut)[];
  /**
   * archive or delete: what was asked for while processing, and happens when that ends.
   */
  'pending'?: (string);
  /**
   * A code of proto/failures.ts with which a try ended that is repeated, while processing.
   */
  'waiting'?: (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_languageCode'?: "languageCode";
  '_durationSeconds'?: "durationSeconds";
  '_thumbnailUrl'?: "thumbnailUrl";
  '_playbackId'?: "playbackId";
  '_updatedAt'?: "updatedAt";
  '_progress'?: "progress";
  '_failure'?: "failure";
  '_mediaPlaybackId'?: "mediaPlaybackId";
  '_pending'?: "pending";
  '_waiting'?: "waiting";
}
