/**
 * Periodic tasks: `check-backlog` learns whether this replica's service has consumed what owners have published,
 * `expire-deadlines` handles expired times of videos, `republish-requests` unanswered requests.
 */
import { startPeriodic } from '@vds/chassis/process/periodic';
import { withLogFields, type Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { decideTime } from '../domain/stage-events.ts';
import type { VideoStore } from '../outbound/video-store.ts';

type Deps = {
  /** Runs a task unless another replica has done so less than `gapMs` ago. */
  readonly runExclusively: (task: string, gapMs: number, run: () => Promise<void>) => Promise<void>;
  readonly checkBacklog: () => Promise<void>;
  readonly dueVideos: () => Promise<readonly string[]>;
  readonly change: VideoStore['change'];
  /** Republishes at most `limit` messages. */
  readonly republish: (limit: number) => Promise<void>;
  readonly schedulerIntervalMs: number;
  /** Republished messages per second, over all replicas. */
  readonly republishRate: number;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/**
 * Starts the tasks. The backlog is checked by every replica; of the others, in each interval the first replica to acquire
 * a task's lock runs it for all. A lock is free again a little before the next interval, so that a single replica never skips one.
 */
export function startScheduler(deps: Deps) {
  const { schedulerIntervalMs: everyMs, republishRate, log, metrics } = deps;
  const gapMs = 0.9 * everyMs;
  const limit = Math.max(1, Math.floor((republishRate * gapMs) / 1_000));
  const exclusive = (task: string, work: () => Promise<void>) => () => deps.runExclusively(task, gapMs, work);
  const tasks = {
    'check-backlog': deps.checkBacklog,
    'expire-deadlines': exclusive('expire-deadlines', () => expireDeadlines(deps)),
    'republish-requests': exclusive('republish-requests', () => deps.republish(limit)),
  };
  return startPeriodic({ log, metrics, everyMs, tasks });
}

/** Decides on every video with an expired time; a failure of one does not delay the others. */
async function expireDeadlines({ dueVideos, change, log }: Deps): Promise<void> {
  for (const id of await dueVideos()) {
    await withLogFields({ video_id: id }, () => change(id, decideTime, { actor: 'catalog', action: 'expire' })).catch(
      (error: unknown) => log.error({ err: error, video_id: id }, 'expired time of a video could not be applied'),
    );
  }
}
