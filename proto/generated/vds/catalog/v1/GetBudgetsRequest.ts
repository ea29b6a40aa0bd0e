// Original file: vds/catalog/v1/catalog.proto


export interface GetBudgetsRequest {
  'publisherId'?: (string);
}

export interface GetBudgetsRequestOut {
  'publisherId': (string);
}
