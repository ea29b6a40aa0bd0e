// Original file: vds/transcode/v1/transcode.proto

import type { Long } from '@grpc/proto-loader';

export interface AudioRendition {
  'bandwidth'?: (number | string | Long);
  'codecs'?: (string);
  'playlistKey'?: (string);
  /**
   * As in the file; empty if it has none.
   */
  'language'?: (string);
  'title'?: (string);
  /**
   * main, commentary, description or clean.
   */
  'role'?: (string);
}

export interface AudioRenditionOut {
  'bandwidth': (number);
  'codecs': (string);
  'playlistKey': (string);
  /**
   * As in the file; empty if it has none.
   */
  'language': (string);
  'title': (string);
  /**
   * main, commentary, description or clean.
   */
  'role': (string);
}
