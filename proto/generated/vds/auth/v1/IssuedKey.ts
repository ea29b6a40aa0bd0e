// Original file: vds/auth/v1/auth.proto

import type { Key as _vds_auth_v1_Key, KeyOut as _vds_auth_v1_KeyOut } from '../../../vds/auth/v1/Key.ts';

export interface IssuedKey {
  'key'?: (_vds_auth_v1_Key | null);
  /**
   * The whole key; it cannot be read again.
   */
  'secretKey'?: (string);
}

export interface IssuedKeyOut {
  'key': (_vds_auth_v1_KeyOut | null);
  /**
   * The whole key; it cannot be read again.
   */
  'secretKey': (string);
}
