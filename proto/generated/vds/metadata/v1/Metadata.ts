// Original file: vds/metadata/v1/metadata.proto

import type { Scene as _vds_metadata_v1_Scene, SceneOut as _vds_metadata_v1_SceneOut } from '../../../vds/metadata/v1/Scene.ts';
import type { Shot as _vds_metadata_v1_Shot, ShotOut as _vds_metadata_v1_ShotOut } from '../../../vds/metadata/v1/Shot.ts';
import type { Interval as _vds_metadata_v1_Interval, IntervalOut as _vds_metadata_v1_IntervalOut } from '../../../vds/metadata/v1/Interval.ts';
import type { ScreenText as _vds_metadata_v1_ScreenText, ScreenTextOut as _vds_metadata_v1_ScreenTextOut } from '../../../vds/metadata/v1/ScreenText.ts';
import type { Topic as _vds_metadata_v1_Topic, TopicOut as _vds_metadata_v1_TopicOut } from '../../../vds/metadata/v1/Topic.ts';
import type { Label as _vds_metadata_v1_Label, LabelOut as _vds_metadata_v1_LabelOut } from '../../../vds/metadata/v1/Label.ts';
import type { Passage as _vds_metadata_v1_Passage, PassageOut as _vds_metadata_v1_PassageOut } from '../../../vds/metadata/v1/Passage.ts';
import type { Chapter as _vds_metadata_v1_Chapter, ChapterOut as _vds_metadata_v1_ChapterOut } from '../../../vds/metadata/v1/Chapter.ts';
import type { KeyMoment as _vds_metadata_v1_KeyMoment, KeyMomentOut as _vds_metadata_v1_KeyMomentOut } from '../../../vds/metadata/v1/KeyMoment.ts';

/**
 * Times are milliseconds from the first picture; scores and confidences go from 0 to 1.
 */
export interface Metadata {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Increases when the same attempt is described again, for example with a late transcript.
   */
  'revision'?: (number);
  /**
   * Without gap or overlap from 0 to the end.
   */
  'scenes'?: (_vds_metadata_v1_Scene)[];
  'shots'?: (_vds_metadata_v1_Shot)[];
  'intervals'?: (_vds_metadata_v1_Interval)[];
  'screenTexts'?: (_vds_metadata_v1_ScreenText)[];
  /**
   * Best first.
   */
  'topics'?: (_vds_metadata_v1_Topic)[];
  'labels'?: (_vds_metadata_v1_Label)[];
  'hasTranscript'?: (boolean);
  /**
   * What the video says, for search by meaning; none where there was no engine for vectors.
   */
  'passages'?: (_vds_metadata_v1_Passage)[];
  /**
   * The model of the vectors: those of two models are never compared.
   */
  'embeddingModel'?: (string);
  /**
   * Those of the file, else made ones; in their order.
   */
  'chapters'?: (_vds_metadata_v1_Chapter)[];
  /**
   * Best first.
   */
  'keyMoments'?: (_vds_metadata_v1_KeyMoment)[];
}

/**
 * Times are milliseconds from the first picture; scores and confidences go from 0 to 1.
 */
export interface MetadataOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Increases when the same attempt is described again, for example with a late transcript.
   */
  'revision': (number);
  /**
   * Without gap or overlap from 0 to the end.
   */
  'scenes': (_vds_metadata_v1_SceneOut)[];
  'shots': (_vds_metadata_v1_ShotOut)[];
  'intervals': (_vds_metadata_v1_IntervalOut)[];
  'screenTexts': (_vds_metadata_v1_ScreenTextOut)[];
  /**
   * Best first.
   */
  'topics': (_vds_metadata_v1_TopicOut)[];
  'labels': (_vds_metadata_v1_LabelOut)[];
  'hasTranscript': (boolean);
  /**
   * What the video says, for search by meaning; none where there was no engine for vectors.
   */
  'passages': (_vds_metadata_v1_PassageOut)[];
  /**
   * The model of the vectors: those of two models are never compared.
   */
  'embeddingModel': (string);
  /**
   * Those of the file, else made ones; in their order.
   */
  'chapters': (_vds_metadata_v1_ChapterOut)[];
  /**
   * Best first.
   */
  'keyMoments': (_vds_metadata_v1_KeyMomentOut)[];
}
