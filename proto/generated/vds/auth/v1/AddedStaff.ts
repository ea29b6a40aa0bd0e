// Original file: vds/auth/v1/auth.proto

import type { StaffMember as _vds_auth_v1_StaffMember, StaffMemberOut as _vds_auth_v1_StaffMemberOut } from '../../../vds/auth/v1/StaffMember.ts';

export interface AddedStaff {
  'member'?: (_vds_auth_v1_StaffMember | null);
  'token'?: (string);
}

export interface AddedStaffOut {
  'member': (_vds_auth_v1_StaffMemberOut | null);
  'token': (string);
}
