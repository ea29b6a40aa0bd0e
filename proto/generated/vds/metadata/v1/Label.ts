// Original file: vds/metadata/v1/metadata.proto

import type { Span as _vds_metadata_v1_Span, SpanOut as _vds_metadata_v1_SpanOut } from '../../../vds/metadata/v1/Span.ts';

export interface Label {
  /**
   * Such as "sport:tennis", "shot:close_up", "audio:crowd_peak".
   */
  'name'?: (string);
  /**
   * partner, picture, sound, transcript or screen
   */
  'source'?: (string);
  'confidence'?: (number | string);
  /**
   * Where in the video; empty: all of it.
   */
  'spans'?: (_vds_metadata_v1_Span)[];
  /**
   * A measured amount, for example the share of speech.
   */
  'value'?: (number | string);
  '_value'?: "value";
}

export interface LabelOut {
  /**
   * Such as "sport:tennis", "shot:close_up", "audio:crowd_peak".
   */
  'name': (string);
  /**
   * partner, picture, sound, transcript or screen
   */
  'source': (string);
  'confidence': (number);
  /**
   * Where in the video; empty: all of it.
   */
  'spans': (_vds_metadata_v1_SpanOut)[];
  /**
   * A measured amount, for example the share of speech.
   */
  'value'?: (number);
  '_value'?: "value";
}
