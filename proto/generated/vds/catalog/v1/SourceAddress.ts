// Original file: vds/catalog/v1/catalog.proto


export interface SourceAddress {
  'sourceUrl'?: (string);
}

export interface SourceAddressOut {
  'sourceUrl': (string);
}
