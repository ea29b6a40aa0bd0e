// Original file: vds/catalog/v1/catalog.proto


export interface HistoryEntry {
  'at'?: (string);
  'actor'?: (string);
  'action'?: (string);
  'from'?: (string);
  'to'?: (string);
  'reason'?: (string);
}

export interface HistoryEntryOut {
  'at': (string);
  'actor': (string);
  'action': (string);
  'from': (string);
  'to': (string);
  'reason': (string);
}
