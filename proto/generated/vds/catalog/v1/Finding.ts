// Original file: vds/catalog/v1/catalog.proto


export interface Finding {
  /**
   * A word of services/catalog/src/domain/reconcile.ts.
   */
  'kind'?: (string);
  'videoId'?: (string);
  /**
   * The service that differs from catalog.
   */
  'owner'?: (string);
  'detail'?: (string);
  /**
   * What the repair does; empty: there is none, the operator decides.
   */
  'repair'?: (string);
  'repaired'?: (boolean);
}

export interface FindingOut {
  /**
   * A word of services/catalog/src/domain/reconcile.ts.
   */
  'kind': (string);
  'videoId': (string);
  /**
   * The service that differs from catalog.
   */
  'owner': (string);
  'detail': (string);
  /**
   * What the repair does; empty: there is none, the operator decides.
   */
  'repair': (string);
  'repaired': (boolean);
}
