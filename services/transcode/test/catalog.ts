/** The events that the test publishes in catalog's place, and those that it waits for. */
import { events } from '@vds/proto/events';
import { terminalEvent } from '@vds/testkit/harness/stand-in-catalog';
import { until } from '@vds/testkit/until';
import { publisher, type Harness } from './harness.ts';
import { uploadSource, type UploadedVideo } from './stored-source.ts';

export { uploadSource, type UploadedVideo } from './stored-source.ts';

type PublishedEvent = Harness['published'][number];

let messages = 0;

/** Runs a source through both stages; throws where one fails. */
export async function transcode(harness: Harness, path: string, capMs = 60_000) {
  const video = await uploadSource(harness, path);
  await requestInspect(harness, video);
  const inspected = payloadOfCompleted(await waitForTerminalEvent(harness, video.videoId, 'inspect', capMs));
  await requestEncode(harness, video, Number(inspected['durationMs']));
  const encoded = payloadOfCompleted(await waitForTerminalEvent(harness, video.videoId, 'encode', capMs));
  return { ...video, inspected, encoded };
}

export function requestInspect({ bus }: Harness, video: UploadedVideo): Promise<void> {
  const id = `inspect-${++messages}-${video.videoId}`;
  return bus.publish(events.inspectRequested, { ...video, publisherId: publisher }, id);
}

function payloadOfCompleted({ subject, payload }: PublishedEvent): PublishedEvent['payload'] {
  if (subject.includes('.failed.')) throw new Error(`${subject}: ${JSON.stringify(payload)}`);
  return payload;
}

/** Waits for a stage's terminal event, whichever it is. */
export function waitForTerminalEvent(
  { published }: Harness,
  videoId: string,
  stage: 'inspect' | 'encode',
  capMs = 60_000,
): Promise<PublishedEvent> {
  return terminalEvent(published, videoId, stage, { capMs });
}

export function requestEncode({ bus }: Harness, video: UploadedVideo, durationMs = 0): Promise<void> {
  const id = `encode-${++messages}-${video.videoId}`;
  return bus.publish(events.encodeRequested, { ...video, publisherId: publisher, durationMs }, id);
}

/**
 * Has the worker purge what the winning attempt does not need, as catalog does once a video is ready.
 * @param ladderKey of the ladder that catalog uses
 */
export async function purgeLosers(harness: Harness, videoId: string, ladderKey = ''): Promise<void> {
  await purgeOthers(harness, videoId, 1, ladderKey);
}

/** Has the worker purge the only attempt, as catalog does once a video has failed. */
export async function purgeFailed(harness: Harness, videoId: string): Promise<void> {
  await purgeOthers(harness, videoId, 2, '');
}

async function purgeOthers(harness: Harness, videoId: string, keepAttempt: number, ladderKey: string): Promise<void> {
  const inUse = { ladderKey };
  const purge = { videoId, scope: 'PURGE_SCOPE_OTHER_ATTEMPTS' as const, keepAttempt, owners: ['transcode'], inUse };
  const before = harness.of(videoId, 'video.purged').length;
  await harness.bus.publish(events.purgeRequested, purge, `losers-${++messages}-${videoId}`);
  await until(() => harness.of(videoId, 'video.purged').length > before, { what: 'the purge is confirmed' });
}

/** The failure that a source ends inspection with. */
export async function inspectFailure(harness: Harness, path: string): Promise<PublishedEvent['payload']> {
  const video = await uploadSource(harness, path);
  await requestInspect(harness, video);
  return (await waitForTerminalEvent(harness, video.videoId, 'inspect')).payload;
}
