// Original file: vds/common/v1/stage_events.proto

/**
 * What an owner of data has to remove.
 */
export const PurgeScope = {
  PURGE_SCOPE_UNSPECIFIED: 'PURGE_SCOPE_UNSPECIFIED',
  /**
   * Every object, multipart upload and row of the video, permanently: a tombstone rejects late results.
   */
  PURGE_SCOPE_VIDEO: 'PURGE_SCOPE_VIDEO',
  /**
   * Everything of attempts before keep_attempt, and what lost tries left within it; later ones are spared (0 keeps
   * none).
   */
  PURGE_SCOPE_OTHER_ATTEMPTS: 'PURGE_SCOPE_OTHER_ATTEMPTS',
  /**
   * Only the fetched source files of attempts before keep_attempt, whose fetches end; the video remains.
   */
  PURGE_SCOPE_SOURCE: 'PURGE_SCOPE_SOURCE',
} as const;

/**
 * What an owner of data has to remove.
 */
export type PurgeScope =
  | 'PURGE_SCOPE_UNSPECIFIED'
  | 0
  /**
   * Every object, multipart upload and row of the video, permanently: a tombstone rejects late results.
   */
  | 'PURGE_SCOPE_VIDEO'
  | 1
  /**
   * Everything of attempts before keep_attempt, and what lost tries left within it; later ones are spared (0 keeps
   * none).
   */
  | 'PURGE_SCOPE_OTHER_ATTEMPTS'
  | 2
  /**
   * Only the fetched source files of attempts before keep_attempt, whose fetches end; the video remains.
   */
  | 'PURGE_SCOPE_SOURCE'
  | 3

/**
 * What an owner of data has to remove.
 */
export type PurgeScopeOut = typeof PurgeScope[keyof typeof PurgeScope]
