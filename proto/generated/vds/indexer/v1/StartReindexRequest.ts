// Original file: vds/indexer/v1/indexer.proto


export interface StartReindexRequest {
  'actor'?: (string);
  'reason'?: (string);
}

export interface StartReindexRequestOut {
  'actor': (string);
  'reason': (string);
}
