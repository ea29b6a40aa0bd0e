// Original file: vds/auth/v1/auth.proto


export interface SetLimitsRequest {
  'keyId'?: (string);
  'minuteLimit'?: (number);
  'dailyLimit'?: (number);
  'actor'?: (string);
  'reason'?: (string);
  '_minuteLimit'?: "minuteLimit";
  '_dailyLimit'?: "dailyLimit";
}

export interface SetLimitsRequestOut {
  'keyId': (string);
  'minuteLimit'?: (number);
  'dailyLimit'?: (number);
  'actor': (string);
  'reason': (string);
  '_minuteLimit'?: "minuteLimit";
  '_dailyLimit'?: "dailyLimit";
}
