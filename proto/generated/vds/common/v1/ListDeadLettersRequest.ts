// Original file: vds/common/v1/dead_letter_admin.proto


export interface ListDeadLettersRequest {
  /**
   * At most 200; 0: 200.
   */
  'pageSize'?: (number);
  /**
   * next_cursor of the previous page; empty: the first page.
   */
  'cursor'?: (string);
}

export interface ListDeadLettersRequestOut {
  /**
   * At most 200; 0: 200.
   */
  'pageSize': (number);
  /**
   * next_cursor of the previous page; empty: the first page.
   */
  'cursor': (string);
}
