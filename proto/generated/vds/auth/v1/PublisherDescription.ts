// Original file: vds/auth/v1/auth.proto


export interface PublisherDescription {
  'organizationId'?: (string);
  /**
   * 32 bytes; never leaves the service that records views.
   */
  'viewerKey'?: (Buffer | Uint8Array | string);
}

export interface PublisherDescriptionOut {
  'organizationId': (string);
  /**
   * 32 bytes; never leaves the service that records views.
   */
  'viewerKey': (Buffer);
}
