// Original file: vds/catalog/v1/catalog.proto


export interface ActionPreview {
  /**
   * retry, hold, release, remove, "rerun <stage>" for every stage, and "rerun" for an unknown stage.
   */
  'action'?: (string);
  /**
   * Present: it would be rejected, with this message.
   */
  'rejection'?: (string);
  /**
   * The states that the audit would record.
   */
  'was'?: (string);
  'becomes'?: (string);
  '_rejection'?: "rejection";
}

export interface ActionPreviewOut {
  /**
   * retry, hold, release, remove, "rerun <stage>" for every stage, and "rerun" for an unknown stage.
   */
  'action': (string);
  /**
   * Present: it would be rejected, with this message.
   */
  'rejection'?: (string);
  /**
   * The states that the audit would record.
   */
  'was': (string);
  'becomes': (string);
  '_rejection'?: "rejection";
}
