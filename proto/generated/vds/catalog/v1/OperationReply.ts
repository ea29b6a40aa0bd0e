// Original file: vds/catalog/v1/catalog.proto


export interface OperationReply {
  'id'?: (string);
  /**
   * archived, archive_queued, public, processing or deleted
   */
  'status'?: (string);
  /**
   * Present when something was queued: what will happen.
   */
  'message'?: (string);
  /**
   * True: 202, else 200.
   */
  'queued'?: (boolean);
  '_message'?: "message";
}

export interface OperationReplyOut {
  'id': (string);
  /**
   * archived, archive_queued, public, processing or deleted
   */
  'status': (string);
  /**
   * Present when something was queued: what will happen.
   */
  'message'?: (string);
  /**
   * True: 202, else 200.
   */
  'queued': (boolean);
  '_message'?: "message";
}
