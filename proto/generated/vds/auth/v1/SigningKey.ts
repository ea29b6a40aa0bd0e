// Original file: vds/auth/v1/auth.proto


export interface SigningKey {
  'kid'?: (string);
  'publishedAt'?: (string);
  'signsFrom'?: (string);
}

export interface SigningKeyOut {
  'kid': (string);
  'publishedAt': (string);
  'signsFrom': (string);
}
