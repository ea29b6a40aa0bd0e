// Original file: vds/auth/v1/auth.proto


export interface IssueKeyRequest {
  'publisherId'?: (string);
  /**
   * videos:read, videos:write
   */
  'scopes'?: (string)[];
  'minuteLimit'?: (number);
  'dailyLimit'?: (number);
  'actor'?: (string);
  'reason'?: (string);
  /**
   * What it is for, at most 100 characters, such as "studio importer".
   */
  'label'?: (string);
  '_minuteLimit'?: "minuteLimit";
  '_dailyLimit'?: "dailyLimit";
}

export interface IssueKeyRequestOut {
  'publisherId': (string);
  /**
   * videos:read, videos:write
   */
  'scopes': (string)[];
  'minuteLimit'?: (number);
  'dailyLimit'?: (number);
  'actor': (string);
  'reason': (string);
  /**
   * What it is for, at most 100 characters, such as "studio importer".
   */
  'label': (string);
  '_minuteLimit'?: "minuteLimit";
  '_dailyLimit'?: "dailyLimit";
}
