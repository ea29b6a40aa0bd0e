// Original file: vds/auth/v1/auth.proto

import type { Publisher as _vds_auth_v1_Publisher, PublisherOut as _vds_auth_v1_PublisherOut } from '../../../vds/auth/v1/Publisher.ts';

export interface ListPublishersReply {
  'publishers'?: (_vds_auth_v1_Publisher)[];
}

export interface ListPublishersReplyOut {
  'publishers': (_vds_auth_v1_PublisherOut)[];
}
