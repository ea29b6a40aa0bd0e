/** Periodic tasks: `expire-deadlines` handles expired times of videos, `republish-requests` unanswered requests. */
import type { Bus } from '@vds/chassis/bus/bus';
import type { Pool } from '@vds/chassis/database/database';
import { runExclusively } from '@vds/chassis/database/leader-lock';
import { startPeriodic } from '@vds/chassis/process/periodic';
import { withLogFields, type Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Times } from '../config.ts';
import { decideTime } from '../domain/stage-events.ts';
import { republish } from '../outbound/republish.ts';
import { dueVideos } from '../outbound/snapshots.ts';
import type { VideoStore } from '../outbound/video-store.ts';

type Deps = {
  readonly pool: Pool;
  readonly bus: Pick<Bus, 'publishRaw' | 'isUp' | 'connectedForMs'>;
  readonly relayReady: () => Promise<void>;
  readonly change: VideoStore['change'];
  readonly times: Pick<Times, 'schedulerEveryMs' | 'republishFirstMs' | 'republishMaxMs' | 'decideAfterConnectMs'>;
  /** Called for each message republished. */
  readonly onRepublished: (kind: string) => void;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** Republished messages per second, over all replicas. */
const REPUBLISH_RATE = 200;

/**
 * Starts the tasks. In each interval the first replica to acquire a task's lock runs it for all. A lock is free again a
 * little before the next interval, so that a single replica never skips one.
 */
export function startScheduler(deps: Deps) {
  const { pool, times, log, metrics } = deps;
  const everyMs = times.schedulerEveryMs;
  const gapMs = 0.9 * everyMs;
  const limit = Math.max(1, Math.floor((REPUBLISH_RATE * gapMs) / 1_000));
  const exclusive = (task: string, work: () => Promise<void>) => () => runExclusively(pool, task, gapMs, work);
  const tasks = {
    'expire-deadlines': exclusive('expire-deadlines', () => expireDeadlines(deps)),
    'republish-requests': exclusive('republish-requests', () => republish(deps, limit)),
  };
  return startPeriodic({ log, metrics, everyMs, tasks });
}

/** Decides on every video with an expired time; a failure of one does not delay the others. */
async function expireDeadlines({ pool, bus, change, times, log }: Deps): Promise<void> {
  // An event that makes a decision needless may still lie in a stream.
  if (bus.connectedForMs() < times.decideAfterConnectMs) return;
  for (const id of await dueVideos(pool)) {
    await withLogFields({ video_id: id }, () => change(id, decideTime, { actor: 'catalog', action: 'expire' })).catch(
      (error: unknown) => log.error({ err: error, video_id: id }, 'expired time of a video could not be applied'),
    );
  }
}
