// Original file: vds/indexer/v1/indexer.proto

import type { Moment as _vds_indexer_v1_Moment, MomentOut as _vds_indexer_v1_MomentOut } from '../../../vds/indexer/v1/Moment.ts';

export interface ListMomentsReply {
  'moments'?: (_vds_indexer_v1_Moment)[];
  /**
   * Empty: this is the last page.
   */
  'nextCursor'?: (string);
}

export interface ListMomentsReplyOut {
  'moments': (_vds_indexer_v1_MomentOut)[];
  /**
   * Empty: this is the last page.
   */
  'nextCursor': (string);
}
