// Original file: vds/catalog/v1/catalog.proto


export interface GetDailyCountRequest {
  'budgetId'?: (string);
  'dailyLimit'?: (number);
  /**
   * Whose other daily budgets count, too: once one is spent nothing remains.
   */
  'publisherId'?: (string);
}

export interface GetDailyCountRequestOut {
  'budgetId': (string);
  'dailyLimit': (number);
  /**
   * Whose other daily budgets count, too: once one is spent nothing remains.
   */
  'publisherId': (string);
}
