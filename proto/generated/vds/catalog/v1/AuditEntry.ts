// Original file: vds/catalog/v1/catalog.proto


export interface AuditEntry {
  'at'?: (string);
  'actor'?: (string);
  'action'?: (string);
  'publisherId'?: (string);
  /**
   * Absent: the change is to the publisher.
   */
  'videoId'?: (string);
  'was'?: (string);
  'became'?: (string);
  'reason'?: (string);
  '_videoId'?: "videoId";
}

export interface AuditEntryOut {
  'at': (string);
  'actor': (string);
  'action': (string);
  'publisherId': (string);
  /**
   * Absent: the change is to the publisher.
   */
  'videoId'?: (string);
  'was': (string);
  'became': (string);
  'reason': (string);
  '_videoId'?: "videoId";
}
