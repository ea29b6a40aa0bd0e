// Original file: vds/catalog/v1/catalog.proto

import type { Video as _vds_catalog_v1_Video, VideoOut as _vds_catalog_v1_VideoOut } from '../../../vds/catalog/v1/Video.ts';
import type { StageStatus as _vds_catalog_v1_StageStatus, StageStatusOut as _vds_catalog_v1_StageStatusOut } from '../../../vds/catalog/v1/StageStatus.ts';
import type { ActionPreview as _vds_catalog_v1_ActionPreview, ActionPreviewOut as _vds_catalog_v1_ActionPreviewOut } from '../../../vds/catalog/v1/ActionPreview.ts';
import type { Long } from '@grpc/proto-loader';

export interface VideoDetails {
  'video'?: (_vds_catalog_v1_Video | null);
  'publisherId'?: (string);
  'intent'?: (string);
  'held'?: (boolean);
  'version'?: (number | string | Long);
  'attempt'?: (number);
  'stages'?: (_vds_catalog_v1_StageStatus)[];
  'unconfirmedPurges'?: (string)[];
  /**
   * What each action of the operator would do now.
   */
  'actionPreviews'?: (_vds_catalog_v1_ActionPreview)[];
  /**
   * The host of source_url; absent once the video is deleted.
   */
  'sourceHost'?: (string);
  /**
   * Once there are media, whatever the state.
   */
  'playbackId'?: (string);
  '_sourceHost'?: "sourceHost";
  '_playbackId'?: "playbackId";
}

export interface VideoDetailsOut {
  'video': (_vds_catalog_v1_VideoOut | null);
  'publisherId': (string);
  'intent': (string);
  'held': (boolean);
  'version': (number);
  'attempt': (number);
  'stages': (_vds_catalog_v1_StageStatusOut)[];
  'unconfirmedPurges': (string)[];
  /**
   * What each action of the operator would do now.
   */
  'actionPreviews': (_vds_catalog_v1_ActionPreviewOut)[];
  /**
   * The host of source_url; absent once the video is deleted.
   */
  'sourceHost'?: (string);
  /**
   * Once there are media, whatever the state.
   */
  'playbackId'?: (string);
  '_sourceHost'?: "sourceHost";
  '_playbackId'?: "playbackId";
}
