// Original file: vds/auth/v1/auth.proto


export interface DescribePublisherRequest {
  'publisherId'?: (string);
}

export interface DescribePublisherRequestOut {
  'publisherId': (string);
}
