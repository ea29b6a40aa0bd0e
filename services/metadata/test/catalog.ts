/** Catalog's part in the tests: requests metadata by events, waits for the terminal event, reads the result by RPC. */
import { metadata } from '@vds/proto';
import { events } from '@vds/proto/events';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { newVideoId, terminalEvent } from '@vds/testkit/harness/stand-in-catalog';
import type { Harness, PublishedEvent, Worker } from './harness.ts';
import { upload, type Renditions } from './renditions.ts';

export type TestVideo = {
  readonly videoId: string;
  readonly attempt: number;
  readonly durationMs: number;
  readonly ladderKey: string;
};

/** The partner's description. */
export type PartnerFields = {
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
export async function storeVideo(
  harness: Harness,
  renditions: Renditions,
  fields: PartnerFields = {},
  attempt = 1,
): Promise<TestVideo> {
  const videoId = newVideoId();
  harness.descriptions.set(videoId, { title: 'A title', tags: [], ...fields });
  const ladderKey = await upload(harness, videoId, renditions, attempt);
  return { videoId, attempt, durationMs: renditions.durationMs, ladderKey };
}

/** Requests a video's metadata and returns it once it is complete. */
export async function createMetadata(harness: Harness, worker: Worker, video: TestVideo, transcriptKey = '') {
  await requestMetadata(harness, video, { transcriptKey });
  const { subject, payload } = await terminalEventOf(harness, video.videoId);
  if (subject.includes('failed')) throw new Error(`${JSON.stringify(payload)}: ${worker.output()}`);
  return getMetadata(worker, video.videoId);
}

export function requestMetadata(
  harness: Harness,
  video: TestVideo,
  more: { revision?: number; transcriptKey?: string } = {},
): Promise<void> {
  return harness.bus.publish(
    events.metadataRequested,
    {
      revision: 0,
      transcriptKey: '',
      hasAudio: true,
      audioPlaylistKey: '',
      publisherId: 'publisher-1',
      ...video,
      ...more,
    },
    `metadata-${++messages}-${video.videoId}`,
  );
}

/** The `index`th terminal event of a video, whichever it is. */
export function terminalEventOf(harness: Harness, videoId: string, index = 0, capMs = 60_000): Promise<PublishedEvent> {
  return terminalEvent(harness.published, videoId, 'metadata', { nth: index, capMs });
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
