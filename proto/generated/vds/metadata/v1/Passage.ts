// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Passage {
  /**
   * Where the passage begins; absent: it is the title, the tags and the summary.
   */
  'atMs'?: (number | string | Long);
  /**
   * One byte, signed, a dimension: of length 1 times 127.
   */
  'vector'?: (Buffer | Uint8Array | string);
  '_atMs'?: "atMs";
}

export interface PassageOut {
  /**
   * Where the passage begins; absent: it is the title, the tags and the summary.
   */
  'atMs'?: (number);
  /**
   * One byte, signed, a dimension: of length 1 times 127.
   */
  'vector': (Buffer);
  '_atMs'?: "atMs";
}
