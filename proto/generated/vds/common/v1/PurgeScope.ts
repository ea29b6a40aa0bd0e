// Original file: vds/common/v1/stage_events.proto

/**
 * What an owner is to remove, and the answer that it is gone.
 */
export const PurgeScope = {
  PURGE_SCOPE_UNSPECIFIED: 'PURGE_SCOPE_UNSPECIFIED',
  /**
   * Every object, multipart upload and row of the video, for ever: a tombstone refuses late results.
   */
  PURGE_SCOPE_VIDEO: 'PURGE_SCOPE_VIDEO',
  /**
   * Everything of attempts before keep_attempt, and what lost within it; later ones are spared (0 keeps none).
   */
  PURGE_SCOPE_OTHER_ATTEMPTS: 'PURGE_SCOPE_OTHER_ATTEMPTS',
  /**
   * The fetched source file alone, of attempts before keep_attempt (0: of all there are); the video lives on.
   */
  PURGE_SCOPE_SOURCE: 'PURGE_SCOPE_SOURCE',
} as const;

/**
 * What an owner is to remove, and the answer that it is gone.
 */
export type PurgeScope =
  | 'PURGE_SCOPE_UNSPECIFIED'
  | 0
  /**
   * Every object, multipart upload and row of the video, for ever: a tombstone refuses late results.
   */
  | 'PURGE_SCOPE_VIDEO'
  | 1
  /**
   * Everything of attempts before keep_attempt, and what lost within it; later ones are spared (0 keeps none).
   */
  | 'PURGE_SCOPE_OTHER_ATTEMPTS'
  | 2
  /**
   * The fetched source file alone, of attempts before keep_attempt (0: of all there are); the video lives on.
   */
  | 'PURGE_SCOPE_SOURCE'
  | 3

/**
 * What an owner is to remove, and the answer that it is gone.
 */
export type PurgeScopeOut = typeof PurgeScope[keyof typeof PurgeScope]
