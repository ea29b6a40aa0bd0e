// Original file: vds/catalog/v1/catalog.proto


export interface Failure {
  'code'?: (string);
  'stage'?: (string);
  'retryable'?: (boolean);
  'message'?: (string);
  'details'?: ({[key: string]: string});
}

export interface FailureOut {
  'code': (string);
  'stage': (string);
  'retryable': (boolean);
  'message': (string);
  'details': ({[key: string]: string});
}
