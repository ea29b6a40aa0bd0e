// Original file: vds/common/v1/worker_admin.proto


/**
 * Phases may run beside each other, and pause.
 */
export interface JobPhase {
  /**
   * fetch: bytes came from storage or a source; encode: a program ran; upload: bytes went to storage.
   */
  'name'?: (string);
  /**
   * Milliseconds since the claim: its first beginning, and its last end.
   */
  'fromMs'?: (number | string);
  'toMs'?: (number | string);
  /**
   * Milliseconds in between in which something of it was in progress.
   */
  'ms'?: (number | string);
}

/**
 * Phases may run beside each other, and pause.
 */
export interface JobPhaseOut {
  /**
   * fetch: bytes came from storage or a source; encode: a program ran; upload: bytes went to storage.
   */
  'name': (string);
  /**
   * Milliseconds since the claim: its first beginning, and its last end.
   */
  'fromMs': (number);
  'toMs': (number);
  /**
   * Milliseconds in between in which something of it was in progress.
   */
  'ms': (number);
}
