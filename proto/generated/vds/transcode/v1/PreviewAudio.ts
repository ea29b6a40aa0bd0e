// Original file: vds/transcode/v1/transcode.proto

import type { Long } from '@grpc/proto-loader';

export interface PreviewAudio {
  'bandwidth'?: (number | string | Long);
  'averageBandwidth'?: (number | string | Long);
  'codecs'?: (string);
  'playlistKey'?: (string);
  'channels'?: (number);
  'sampleRate'?: (number);
  /**
   * Empty where the source has none.
   */
  'language'?: (string);
}

export interface PreviewAudioOut {
  'bandwidth': (number);
  'averageBandwidth': (number);
  'codecs': (string);
  'playlistKey': (string);
  'channels': (number);
  'sampleRate': (number);
  /**
   * Empty where the source has none.
   */
  'language': (string);
}
