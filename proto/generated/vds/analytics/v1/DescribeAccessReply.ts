// Original file: vds/analytics/v1/analytics.proto


export interface DescribeAccessReply {
  'text'?: (string);
}

export interface DescribeAccessReplyOut {
  'text': (string);
}
