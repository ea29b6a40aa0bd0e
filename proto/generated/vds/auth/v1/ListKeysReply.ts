// Original file: vds/auth/v1/auth.proto

import type { Key as _vds_auth_v1_Key, KeyOut as _vds_auth_v1_KeyOut } from '../../../vds/auth/v1/Key.ts';

export interface ListKeysReply {
  'keys'?: (_vds_auth_v1_Key)[];
}

export interface ListKeysReplyOut {
  'keys': (_vds_auth_v1_KeyOut)[];
}
