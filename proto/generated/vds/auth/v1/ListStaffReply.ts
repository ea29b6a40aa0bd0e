// Original file: vds/auth/v1/auth.proto

import type { StaffMember as _vds_auth_v1_StaffMember, StaffMemberOut as _vds_auth_v1_StaffMemberOut } from '../../../vds/auth/v1/StaffMember.ts';

export interface ListStaffReply {
  'staff'?: (_vds_auth_v1_StaffMember)[];
}

export interface ListStaffReplyOut {
  'staff': (_vds_auth_v1_StaffMemberOut)[];
}
