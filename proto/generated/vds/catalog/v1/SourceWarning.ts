// Original file: vds/catalog/v1/catalog.proto


export interface SourceWarning {
  'code'?: (string);
  'message'?: (string);
}

export interface SourceWarningOut {
  'code': (string);
  'message': (string);
}
