// Original file: vds/catalog/v1/catalog.proto

import type { HistoryEntry as _vds_catalog_v1_HistoryEntry, HistoryEntryOut as _vds_catalog_v1_HistoryEntryOut } from '../../../vds/catalog/v1/HistoryEntry.ts';

export interface History {
  'entries'?: (_vds_catalog_v1_HistoryEntry)[];
}

export interface HistoryOut {
  'entries': (_vds_catalog_v1_HistoryEntryOut)[];
}
