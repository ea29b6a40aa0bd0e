// Original file: vds/catalog/v1/catalog.proto


export interface GetDailyCountRequest {
  'budgetId'?: (string);
  'dailyLimit'?: (number);
}

export interface GetDailyCountRequestOut {
  'budgetId': (string);
  'dailyLimit': (number);
}
