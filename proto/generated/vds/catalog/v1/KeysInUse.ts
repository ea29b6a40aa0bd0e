// Original file: vds/catalog/v1/catalog_events.proto


/**
 * Keys of documents that are in use, by the owner of their bucket; empty where there is none.
 */
export interface KeysInUse {
  'sourceKey'?: (string);
  'ladderKey'?: (string);
  'captionKeys'?: (string)[];
}

/**
 * Keys of documents that are in use, by the owner of their bucket; empty where there is none.
 */
export interface KeysInUseOut {
  'sourceKey': (string);
  'ladderKey': (string);
  'captionKeys': (string)[];
}
