// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface Clip {
  'videoId'?: (string);
  'publisherId'?: (string);
  'title'?: (string);
  'summary'?: (string);
  'tags'?: (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode'?: (string);
  'durationMs'?: (number | string | Long);
  'playbackId'?: (string);
  'thumbnailUrl'?: (string);
  'publishedAt'?: (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_thumbnailUrl'?: "thumbnailUrl";
}

export interface ClipOut {
  'videoId': (string);
  'publisherId': (string);
  'title': (string);
  'summary'?: (string);
  'tags': (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode': (string);
  'durationMs': (number);
  'playbackId': (string);
  'thumbnailUrl'?: (string);
  'publishedAt': (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_thumbnailUrl'?: "thumbnailUrl";
}
