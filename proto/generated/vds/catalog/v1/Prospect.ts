// Original file: vds/catalog/v1/catalog.proto


export interface Prospect {
  /**
   * retry, hold, release, remove, "repeat <stage>" for every stage, and "repeat" for a stage that there is not.
   */
  'verb'?: (string);
  /**
   * Present: it would be refused, with this sentence.
   */
  'refused'?: (string);
  /**
   * What the audit would say that the video was and became.
   */
  'was'?: (string);
  'becomes'?: (string);
  '_refused'?: "refused";
}

export interface ProspectOut {
  /**
   * retry, hold, release, remove, "repeat <stage>" for every stage, and "repeat" for a stage that there is not.
   */
  'verb': (string);
  /**
   * Present: it would be refused, with this sentence.
   */
  'refused'?: (string);
  /**
   * What the audit would say that the video was and became.
   */
  'was': (string);
  'becomes': (string);
  '_refused'?: "refused";
}
