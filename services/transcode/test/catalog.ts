/** The events that the test publishes in catalog's place, and those that it waits for. */
import { stat } from 'node:fs/promises';
import { events } from '@vds/proto/events';
import { newVideoId, terminalEvent } from '@vds/testkit/harness/stand-in-catalog';
import { publisher, type House, type PublishedEvent } from './harness.ts';

export type Title = {
  readonly videoId: string;
  readonly attempt: number;
  readonly sourceKey: string;
  readonly sourceBytes: number;
};

let messages = 0;

/** Runs a source through both stages; throws where one fails. */
export async function transcode(house: House, path: string, capMs = 60_000) {
  const title = await uploadSource(house, path);
  await askInspect(house, title);
  const inspected = succeeded(await lastWord(house, title.videoId, 'inspect', capMs)).payload;
  await askEncode(house, title, Number(inspected['durationMs']));
  const encoded = succeeded(await lastWord(house, title.videoId, 'encode', capMs)).payload;
  return { ...title, inspected, encoded };
}

/** Stores a file where ingest would have put it. */
export async function uploadSource(house: House, path: string, videoId = newVideoId()): Promise<Title> {
  const sourceKey = `videos/${videoId}/1/source.1/original`;
  await house.sources.client.fPutObject(house.sources.bucket, sourceKey, path);
  return { videoId, attempt: 1, sourceKey, sourceBytes: (await stat(path)).size };
}

export function askInspect(house: House, title: Title): Promise<void> {
  return house.bus.publish(
    events.inspectRequested,
    { ...title, publisherId: publisher },
    `inspect-${++messages}-${title.videoId}`,
  );
}

function succeeded({ subject, payload }: PublishedEvent): PublishedEvent {
  if (subject.includes('.failed.')) throw new Error(`${subject}: ${JSON.stringify(payload)}`);
  return { subject, id: '', payload };
}

/** Waits for a stage's terminal event, whichever it is. */
export function lastWord(
  house: House,
  videoId: string,
  stage: 'inspect' | 'encode',
  capMs = 60_000,
): Promise<PublishedEvent> {
  return terminalEvent(house.published, videoId, stage, { capMs });
}

export function askEncode(house: House, title: Title, durationMs = 0): Promise<void> {
  return house.bus.publish(
    events.encodeRequested,
    { ...title, publisherId: publisher, durationMs },
    `encode-${++messages}-${title.videoId}`,
  );
}

/** The code that a source fails inspection with. */
export async function refusedWith(house: House, path: string): Promise<Record<string, unknown>> {
  const title = await uploadSource(house, path);
  await askInspect(house, title);
  return (await lastWord(house, title.videoId, 'inspect')).payload;
}
