// Original file: vds/metadata/v1/metadata.proto

import type { Evidence as _vds_metadata_v1_Evidence, EvidenceOut as _vds_metadata_v1_EvidenceOut } from '../../../vds/metadata/v1/Evidence.ts';

export interface Topic {
  'name'?: (string);
  'score'?: (number | string);
  'evidence'?: (_vds_metadata_v1_Evidence)[];
}

export interface TopicOut {
  'name': (string);
  'score': (number);
  'evidence': (_vds_metadata_v1_EvidenceOut)[];
}
