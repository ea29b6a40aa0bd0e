// Original file: vds/indexer/v1/indexer.proto


/**
 * A match within the snippet's text: code points from `start` to before `end`.
 */
export interface Mark {
  'start'?: (number);
  'end'?: (number);
}

/**
 * A match within the snippet's text: code points from `start` to before `end`.
 */
export interface MarkOut {
  'start': (number);
  'end': (number);
}
