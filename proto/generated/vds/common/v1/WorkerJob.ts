// Original file: vds/common/v1/worker_admin.proto

import type { JobPhase as _vds_common_v1_JobPhase, JobPhaseOut as _vds_common_v1_JobPhaseOut } from '../../../vds/common/v1/JobPhase.ts';
import type { Long } from '@grpc/proto-loader';

export interface WorkerJob {
  'id'?: (number | string | Long);
  'videoId'?: (string);
  'attempt'?: (number);
  'revision'?: (number);
  'stage'?: (string);
  'queue'?: (string);
  'name'?: (string);
  'state'?: (string);
  'tries'?: (number);
  'progress'?: (number);
  /**
   * Why its last try did not succeed.
   */
  'error'?: (string);
  'createdAt'?: (string);
  /**
   * When it may be claimed; of a claimed one: when it could be.
   */
  'readyAt'?: (string);
  /**
   * Until when a running job is leased.
   */
  'leasedUntil'?: (string);
  /**
   * How often its process or a child was killed while it ran; after several it is quarantined: it runs alone in its process.
   */
  'crashes'?: (number);
  'quarantined'?: (boolean);
  /**
   * Since when it waits, and for what: dependency or missing (an object). Such tries are not counted.
   */
  'blockedSince'?: (string);
  'blockedBy'?: (string);
  /**
   * The host that it reads from; empty without one.
   */
  'origin'?: (string);
  /**
   * The process that claimed it last, as `<host>/<process id>`: on Kubernetes the host is the pod.
   */
  'claimedBy'?: (string);
  /**
   * When it was claimed last.
   */
  'startedAt'?: (string);
  /**
   * Of a job that may be claimed now, where the request names a video: how many jobs of its queue could be claimed before
   * it could; 1,000 also stands for more.
   */
  'olderReady'?: (number);
  /**
   * When it ended.
   */
  'finishedAt'?: (string);
  /**
   * What the time of the try that ended it went to.
   */
  'phases'?: (_vds_common_v1_JobPhase)[];
  '_error'?: "error";
  '_leasedUntil'?: "leasedUntil";
  '_blockedSince'?: "blockedSince";
  '_blockedBy'?: "blockedBy";
  '_claimedBy'?: "claimedBy";
  '_startedAt'?: "startedAt";
  '_olderReady'?: "olderReady";
  '_finishedAt'?: "finishedAt";
}

export interface WorkerJobOut {
  'id': (number);
  'videoId': (string);
  'attempt': (number);
  'revision': (number);
  'stage': (string);
  'queue': (string);
  'name': (string);
  'state': (string);
  'tries': (number);
  'progress': (number);
  /**
   * Why its last try did not succeed.
   */
  'error'?: (string);
  'createdAt': (string);
  /**
   * When it may be claimed; of a claimed one: when it could be.
   */
  'readyAt': (string);
  /**
   * Until when a running job is leased.
   */
  'leasedUntil'?: (string);
  /**
   * How often its process or a child was killed while it ran; after several it is quarantined: it runs alone in its process.
   */
  'crashes': (number);
  'quarantined': (boolean);
  /**
   * Since when it waits, and for what: dependency or missing (an object). Such tries are not counted.
   */
  'blockedSince'?: (string);
  'blockedBy'?: (string);
  /**
   * The host that it reads from; empty without one.
   */
  'origin': (string);
  /**
   * The process that claimed it last, as `<host>/<process id>`: on Kubernetes the host is the pod.
   */
  'claimedBy'?: (string);
  /**
   * When it was claimed last.
   */
  'startedAt'?: (string);
  /**
   * Of a job that may be claimed now, where the request names a video: how many jobs of its queue could be claimed before
   * it could; 1,000 also stands for more.
   */
  'olderReady'?: (number);
  /**
   * When it ended.
   */
  'finishedAt'?: (string);
  /**
   * What the time of the try that ended it went to.
   */
  'phases': (_vds_common_v1_JobPhaseOut)[];
  '_error'?: "error";
  '_leasedUntil'?: "leasedUntil";
  '_blockedSince'?: "blockedSince";
  '_blockedBy'?: "blockedBy";
  '_claimedBy'?: "claimedBy";
  '_startedAt'?: "startedAt";
  '_olderReady'?: "olderReady";
  '_finishedAt'?: "finishedAt";
}
