// Original file: vds/catalog/v1/catalog.proto


export interface GetDailyUseRequest {
  /**
   * At most 1,000.
   */
  'budgetIds'?: (string)[];
}

export interface GetDailyUseRequestOut {
  /**
   * At most 1,000.
   */
  'budgetIds': (string)[];
}
