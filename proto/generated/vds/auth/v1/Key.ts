// Original file: vds/auth/v1/auth.proto


export interface Key {
  'id'?: (string);
  'publisherId'?: (string);
  'scopes'?: (string)[];
  'minuteLimit'?: (number);
  'dailyLimit'?: (number);
  'budgetId'?: (string);
  'createdAt'?: (string);
  'revokedAt'?: (string);
  /**
   * Empty: none.
   */
  'label'?: (string);
  '_revokedAt'?: "revokedAt";
}

export interface KeyOut {
  'id': (string);
  'publisherId': (string);
  'scopes': (string)[];
  'minuteLimit': (number);
  'dailyLimit': (number);
  'budgetId': (string);
  'createdAt': (string);
  'revokedAt'?: (string);
  /**
   * Empty: none.
   */
  'label': (string);
  '_revokedAt'?: "revokedAt";
}
