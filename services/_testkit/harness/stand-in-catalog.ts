/** A test's replacement for catalog towards any worker: cancels and purges videos, and waits for a stage to end. */
import { randomBytes } from 'node:crypto';
import { events } from '@vds/proto/events';
import type { KeysInUse } from '@vds/proto/generated/vds/catalog/v1/KeysInUse.ts';
import type { Bus } from '@vds/chassis/bus/bus';
import { until } from '../until.ts';
import type { PublishedEvent } from './service-harness.ts';

export type PurgeScope = 'PURGE_SCOPE_VIDEO' | 'PURGE_SCOPE_OTHER_ATTEMPTS' | 'PURGE_SCOPE_SOURCE';

let messages = 0;

/** A random video id. */
export function newVideoId(): string {
  return `test${randomBytes(11).toString('hex')}`;
}

/** Cancels a video's work. */
export function cancelVideo(bus: Bus, videoId: string): Promise<void> {
  return bus.publish(events.videoCancelled, { videoId }, `cancel-${++messages}`);
}

/** Requests that `owners` remove all data of a video, or of all attempts but one, except what is `inUse`. */
export function purgeVideo(
  bus: Bus,
  videoId: string,
  purge: { scope: PurgeScope; keepAttempt?: number; owners: string[]; inUse?: KeysInUse },
): Promise<void> {
  return bus.publish(events.purgeRequested, { keepAttempt: 0, ...purge, videoId }, `purge-${++messages}`);
}

/**
 * Waits for the terminal event of a stage, whichever it is.
 * @param published the harness's recording
 * @param nth from 0: which one, for a stage that ends more than once
 */
export function terminalEvent(
  published: readonly PublishedEvent[],
  videoId: string,
  stage: string,
  { nth = 0, capMs = 60_000 } = {},
): Promise<PublishedEvent> {
  const isTerminal = ({ subject, payload }: PublishedEvent): boolean =>
    payload['videoId'] === videoId &&
    [`${stage}.completed.v1`, `${stage}.failed.v1`].some((end) => subject.endsWith(`.${end}`));
  return until(() => published.filter(isTerminal)[nth], {
    what: `the terminal event of ${stage} of ${videoId}`,
    capMs,
  });
}
