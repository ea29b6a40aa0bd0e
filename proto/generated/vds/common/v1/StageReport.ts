// Original file: vds/common/v1/worker_admin.proto


export interface StageReport {
  'stage'?: (string);
  'attempt'?: (number);
  'revision'?: (number);
  /**
   * open, completed, failed or cancelled
   */
  'state'?: (string);
}

export interface StageReportOut {
  'stage': (string);
  'attempt': (number);
  'revision': (number);
  /**
   * open, completed, failed or cancelled
   */
  'state': (string);
}
