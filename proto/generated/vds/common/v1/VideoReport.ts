// Original file: vds/common/v1/worker_admin.proto

import type { StageReport as _vds_common_v1_StageReport, StageReportOut as _vds_common_v1_StageReportOut } from '../../../vds/common/v1/StageReport.ts';
import type { UnreadableDocument as _vds_common_v1_UnreadableDocument, UnreadableDocumentOut as _vds_common_v1_UnreadableDocumentOut } from '../../../vds/common/v1/UnreadableDocument.ts';

export interface VideoReport {
  'videoId'?: (string);
  /**
   * It was permanently removed here.
   */
  'tombstoned'?: (boolean);
  /**
   * There are rows or objects of it.
   */
  'hasData'?: (boolean);
  /**
   * Its stages in every attempt.
   */
  'stages'?: (_vds_common_v1_StageReport)[];
  /**
   * Keys in use that do not exist; at most 10 of them.
   */
  'missing'?: (string)[];
  /**
   * The number of the state that the service publishes apart from its stages; 0 without one.
   */
  'stateRevision'?: (number);
  /**
   * Documents in use that exist, but cannot be read; at most 10 of them.
   */
  'unreadable'?: (_vds_common_v1_UnreadableDocument)[];
}

export interface VideoReportOut {
  'videoId': (string);
  /**
   * It was permanently removed here.
   */
  'tombstoned': (boolean);
  /**
   * There are rows or objects of it.
   */
  'hasData': (boolean);
  /**
   * Its stages in every attempt.
   */
  'stages': (_vds_common_v1_StageReportOut)[];
  /**
   * Keys in use that do not exist; at most 10 of them.
   */
  'missing': (string)[];
  /**
   * The number of the state that the service publishes apart from its stages; 0 without one.
   */
  'stateRevision': (number);
  /**
   * Documents in use that exist, but cannot be read; at most 10 of them.
   */
  'unreadable': (_vds_common_v1_UnreadableDocumentOut)[];
}
