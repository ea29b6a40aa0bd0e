// Original file: vds/common/v1/worker_admin.proto


export interface ListKnownVideosReply {
  /**
   * Empty: there are no more.
   */
  'videoIds'?: (string)[];
}

export interface ListKnownVideosReplyOut {
  /**
   * Empty: there are no more.
   */
  'videoIds': (string)[];
}
