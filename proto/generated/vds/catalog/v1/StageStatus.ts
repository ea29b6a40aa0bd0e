// Original file: vds/catalog/v1/catalog.proto


export interface StageStatus {
  'stage'?: (string);
  'state'?: (string);
  'attempt'?: (number);
  'requestedAt'?: (string);
  'startedAt'?: (string);
  'finishedAt'?: (string);
  'progress'?: (number);
  'revision'?: (number);
  '_requestedAt'?: "requestedAt";
  '_startedAt'?: "startedAt";
  '_finishedAt'?: "finishedAt";
}

export interface StageStatusOut {
  'stage': (string);
  'state': (string);
  'attempt': (number);
  'requestedAt'?: (string);
  'startedAt'?: (string);
  'finishedAt'?: (string);
  'progress': (number);
  'revision': (number);
  '_requestedAt'?: "requestedAt";
  '_startedAt'?: "startedAt";
  '_finishedAt'?: "finishedAt";
}
