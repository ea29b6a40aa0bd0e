// Original file: vds/auth/v1/auth.proto

import type { AuditEntry as _vds_auth_v1_AuditEntry, AuditEntryOut as _vds_auth_v1_AuditEntryOut } from '../../../vds/auth/v1/AuditEntry.ts';

export interface ListAuditReply {
  'entries'?: (_vds_auth_v1_AuditEntry)[];
  /**
   * Empty: this is the last page.
   */
  'nextCursor'?: (string);
}

export interface ListAuditReplyOut {
  'entries': (_vds_auth_v1_AuditEntryOut)[];
  /**
   * Empty: this is the last page.
   */
  'nextCursor': (string);
}
