// Original file: vds/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

export interface StaffToken {
  'token'?: (string);
  'expiresAtMs'?: (number | string | Long);
  'name'?: (string);
}

export interface StaffTokenOut {
  'token': (string);
  'expiresAtMs': (number);
  'name': (string);
}
