// Original file: vds/catalog/v1/catalog.proto


export interface DescribeVideoRequest {
  'videoId'?: (string);
}

export interface DescribeVideoRequestOut {
  'videoId': (string);
}
