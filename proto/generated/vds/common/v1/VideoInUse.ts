// Original file: vds/common/v1/worker_admin.proto


export interface VideoInUse {
  'videoId'?: (string);
  /**
   * Keys of documents in the service's bucket that are in use.
   */
  'keys'?: (string)[];
}

export interface VideoInUseOut {
  'videoId': (string);
  /**
   * Keys of documents in the service's bucket that are in use.
   */
  'keys': (string)[];
}
