/** The events that the test publishes in catalog's place, and what it waits for and reads. */
import { metadata } from '@vds/proto';
import { events } from '@vds/proto/events';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { newVideoId, terminalEvent } from '@vds/testkit/harness/stand-in-catalog';
import type { House, PublishedEvent, Worker } from './harness.ts';
import { upload, type Made } from './renditions.ts';

export type Title = {
  readonly videoId: string;
  readonly attempt: number;
  readonly durationMs: number;
  readonly ladderKey: string;
};

/** The partner's description. */
export type About = {
  readonly title?: string;
  readonly summary?: string;
  readonly tags?: string[];
  readonly sport?: string;
  readonly category?: string;
  readonly languageCode?: string;
  readonly transcriptKey?: string;
};

let messages = 0;

/** Stores a video's renditions where transcode would have put them. */
export async function bring(house: House, made: Made, about: About = {}, attempt = 1): Promise<Title> {
  const videoId = newVideoId();
  house.descriptions.set(videoId, { title: 'A title', tags: [], ...about });
  const ladderKey = await upload(house, videoId, made, attempt);
  return { videoId, attempt, durationMs: made.durationMs, ladderKey };
}

/** Requests a video's metadata and reads it once it exists. */
export async function understand(house: House, worker: Worker, title: Title, transcriptKey = '') {
  await ask(house, title, { transcriptKey });
  const { subject, payload } = await lastWord(house, title.videoId);
  if (subject.includes('failed')) throw new Error(`${JSON.stringify(payload)}: ${worker.output()}`);
  return getMetadata(worker, title.videoId);
}

export function ask(
  house: House,
  title: Title,
  more: { revision?: number; transcriptKey?: string } = {},
): Promise<void> {
  return house.bus.publish(
    events.metadataRequested,
    {
      revision: 0,
      transcriptKey: '',
      hasAudio: true,
      audioPlaylistKey: '',
      publisherId: 'publisher-1',
      ...title,
      ...more,
    },
    `metadata-${++messages}-${title.videoId}`,
  );
}

/** The `index`th terminal event of a video, whichever it is. */
export function lastWord(house: House, videoId: string, index = 0, capMs = 60_000): Promise<PublishedEvent> {
  return terminalEvent(house.published, videoId, 'metadata', { nth: index, capMs });
}

export async function getMetadata(worker: Worker, videoId: string, caller = 'indexer') {
  const client = clientOf(worker, caller);
  try {
    return await client.GetMetadata({ videoId });
  } finally {
    await client.close();
  }
}

function clientOf(worker: Worker, caller: string) {
  return rpcClient(metadata.MetadataService, {
    target: `127.0.0.1:${worker.ports.rpc}`,
    config: { rpcToken: tokenOf(caller), tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined },
  });
}
