// Original file: vds/metadata/v1/metadata.proto

import type { ChapterTitle as _vds_metadata_v1_ChapterTitle, ChapterTitleOut as _vds_metadata_v1_ChapterTitleOut } from '../../../vds/metadata/v1/ChapterTitle.ts';
import type { Long } from '@grpc/proto-loader';

export interface Chapter {
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
  /**
   * As the partner sent it, or a quote of what is said there, in the spoken language; may be empty.
   */
  'title'?: (string);
  /**
   * file, or made from pauses, scenes and topics
   */
  'origin'?: (string);
  /**
   * The same quote by language, the spoken one first; for the platform's apps in each language of the captions. None of
   * a chapter of the file.
   */
  'titles'?: (_vds_metadata_v1_ChapterTitle)[];
  /**
   * When the quote is said; absent without one.
   */
  'titleAtMs'?: (number | string | Long);
  '_titleAtMs'?: "titleAtMs";
}

export interface ChapterOut {
  'startMs': (number);
  'endMs': (number);
  /**
   * As the partner sent it, or a quote of what is said there, in the spoken language; may be empty.
   */
  'title': (string);
  /**
   * file, or made from pauses, scenes and topics
   */
  'origin': (string);
  /**
   * The same quote by language, the spoken one first; for the platform's apps in each language of the captions. None of
   * a chapter of the file.
   */
  'titles': (_vds_metadata_v1_ChapterTitleOut)[];
  /**
   * When the quote is said; absent without one.
   */
  'titleAtMs'?: (number);
  '_titleAtMs'?: "titleAtMs";
}
