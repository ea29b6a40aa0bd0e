// Original file: vds/auth/v1/auth.proto

import type { Organization as _vds_auth_v1_Organization, OrganizationOut as _vds_auth_v1_OrganizationOut } from '../../../vds/auth/v1/Organization.ts';

export interface ListOrganizationsReply {
  'organizations'?: (_vds_auth_v1_Organization)[];
}

export interface ListOrganizationsReplyOut {
  'organizations': (_vds_auth_v1_OrganizationOut)[];
}
