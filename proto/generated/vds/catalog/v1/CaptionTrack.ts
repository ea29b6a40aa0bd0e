// Original file: vds/catalog/v1/catalog.proto


/**
 * A caption track as the partner sees it.
 */
export interface CaptionTrack {
  'language'?: (string);
  'kind'?: (string);
  'status'?: (string);
  'reason'?: (string);
  '_reason'?: "reason";
}

/**
 * A caption track as the partner sees it.
 */
export interface CaptionTrackOut {
  'language': (string);
  'kind': (string);
  'status': (string);
  'reason'?: (string);
  '_reason'?: "reason";
}
