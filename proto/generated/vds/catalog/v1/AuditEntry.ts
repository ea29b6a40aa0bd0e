// Original file: vds/catalog/v1/catalog.proto


export interface AuditEntry {
  'at'?: (string);
  'actor'?: (string);
  'action'?: (string);
  'publisherId'?: (string);
  'videoId'?: (string);
  'was'?: (string);
  'became'?: (string);
  'reason'?: (string);
}

export interface AuditEntryOut {
  'at': (string);
  'actor': (string);
  'action': (string);
  'publisherId': (string);
  'videoId': (string);
  'was': (string);
  'became': (string);
  'reason': (string);
}
