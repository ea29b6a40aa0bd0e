// Original file: vds/auth/v1/auth.proto

import type { MinuteWindow as _vds_auth_v1_MinuteWindow, MinuteWindowOut as _vds_auth_v1_MinuteWindowOut } from '../../../vds/auth/v1/MinuteWindow.ts';

export interface AuthorizeReply {
  'publisherId'?: (string);
  'keyId'?: (string);
  /**
   * Identifies the daily ingest count; survives key rotation.
   */
  'budgetId'?: (string);
  'scopes'?: (string)[];
  'minute'?: (_vds_auth_v1_MinuteWindow | null);
  'dailyLimit'?: (number);
}

export interface AuthorizeReplyOut {
  'publisherId': (string);
  'keyId': (string);
  /**
   * Identifies the daily ingest count; survives key rotation.
   */
  'budgetId': (string);
  'scopes': (string)[];
  'minute': (_vds_auth_v1_MinuteWindowOut | null);
  'dailyLimit': (number);
}
