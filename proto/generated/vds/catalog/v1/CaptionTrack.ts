// Original file: vds/catalog/v1/catalog.proto


/**
 * What the partner is told of a caption track.
 */
export interface CaptionTrack {
  'language'?: (string);
  'kind'?: (string);
  'status'?: (string);
  'reason'?: (string);
  '_reason'?: "reason";
}

/**
 * What the partner is told of a caption track.
 */
export interface CaptionTrackOut {
  'language': (string);
  'kind': (string);
  'status': (string);
  'reason'?: (string);
  '_reason'?: "reason";
}
