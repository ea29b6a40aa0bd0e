// Original file: vds/indexer/v1/indexer.proto

import type { IndexedVersion as _vds_indexer_v1_IndexedVersion, IndexedVersionOut as _vds_indexer_v1_IndexedVersionOut } from '../../../vds/indexer/v1/IndexedVersion.ts';

export interface ListIndexedVideosReply {
  'videos'?: (_vds_indexer_v1_IndexedVersion)[];
}

export interface ListIndexedVideosReplyOut {
  'videos': (_vds_indexer_v1_IndexedVersionOut)[];
}
