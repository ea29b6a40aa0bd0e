/**
 * The real service in its own processes, on a fresh database, buckets and nats-server, with the test as its catalog.
 */
import { transcode } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { listKeys } from '@vds/testkit/harness/objects';
import { openServiceHarness, type Worker } from '@vds/testkit/harness/service-harness';
import { serveVideosInUse } from '@vds/testkit/harness/videos-in-use';

export type { Worker } from '@vds/testkit/harness/service-harness';

export const publisher = 'publisher-1';

export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** @param settings environment variables of every process that it starts */
export async function openHarness(settings: Readonly<Record<string, string>> = {}) {
  const catalog = await serveVideosInUse('transcode');
  const harness = await openServiceHarness({
    service: 'transcode',
    others: ['ingest'],
    buckets: ['SOURCES_BUCKET', 'MEDIA_BUCKET'],
    callers: ['playback', 'vdsctl'],
    settings: { ENCODE_PRESET: 'ultrafast', ...catalog.settings, ...settings },
  });
  const media = harness.bucket('MEDIA_BUCKET');
  return {
    ...harness,
    sources: harness.bucket('SOURCES_BUCKET'),
    media,
    /** What catalog uses of videos. */
    videosInUse: catalog.videos,
    keys: (videoId: string): Promise<string[]> => listKeys(media, `videos/${videoId}/`),
    close: async (): Promise<void> => {
      await harness.close();
      await catalog.close();
    },
  };
}

/** The ladder of a video, as the operator gets it. */
export async function ladderOf(worker: Worker, videoId: string) {
  const tls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
  const client = rpcClient(transcode.TranscodeService, {
    target: `127.0.0.1:${worker.ports.rpc}`,
    config: { rpcToken: tokenOf('vdsctl'), ...tls },
  });
  try {
    return await client.GetLadder({ videoId });
  } finally {
    await client.close();
  }
}
