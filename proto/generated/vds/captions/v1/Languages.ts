// Original file: vds/captions/v1/captions.proto

import type { Route as _vds_captions_v1_Route, RouteOut as _vds_captions_v1_RouteOut } from '../../../vds/captions/v1/Route.ts';

export interface Languages {
  'speechEngine'?: (string);
  'speechLanguages'?: (string)[];
  'translationEngine'?: (string);
  /**
   * The operator's list, BCP 47, in its order.
   */
  'targets'?: (string)[];
  'routes'?: (_vds_captions_v1_Route)[];
  /**
   * When the engines were last queried; RFC 3339.
   */
  'checkedAt'?: (string);
}

export interface LanguagesOut {
  'speechEngine': (string);
  'speechLanguages': (string)[];
  'translationEngine': (string);
  /**
   * The operator's list, BCP 47, in its order.
   */
  'targets': (string)[];
  'routes': (_vds_captions_v1_RouteOut)[];
  /**
   * When the engines were last queried; RFC 3339.
   */
  'checkedAt': (string);
}
