// Original file: vds/common/v1/dead_letter_admin.proto

import type { DeadLetter as _vds_common_v1_DeadLetter, DeadLetterOut as _vds_common_v1_DeadLetterOut } from '../../../vds/common/v1/DeadLetter.ts';

export interface ListDeadLettersReply {
  'deadLetters'?: (_vds_common_v1_DeadLetter)[];
  /**
   * Empty on the last page.
   */
  'nextCursor'?: (string);
}

export interface ListDeadLettersReplyOut {
  'deadLetters': (_vds_common_v1_DeadLetterOut)[];
  /**
   * Empty on the last page.
   */
  'nextCursor': (string);
}
