/**
 * The real service in its own processes, on a fresh database, buckets and nats-server, with the test as its catalog.
 */
import type { Description } from '@vds/proto/generated/vds/catalog/v1/Description.ts';
import { notFound } from '@vds/chassis/errors';
import { serveFakePeers } from '@vds/testkit/harness/fake-peers';
import { openTestGates } from '@vds/testkit/harness/gates';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { openServiceHarness } from '@vds/testkit/harness/service-harness';

export type { PublishedEvent, Worker } from '@vds/testkit/harness/service-harness';

export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** @param settings environment variables of every process that it starts */
export async function openHarness(settings: Readonly<Record<string, string>> = {}) {
  const descriptions = new Map<string, Description>();
  const gates = openTestGates();
  const peers = await serveFakePeers('metadata', {
    catalog: {
      ResolvePlayback: gates.ResolvePlayback,
      DescribeVideo: async ({ videoId }) => {
        const description = descriptions.get(videoId);
        if (!description) throw notFound(videoId);
        return { videoId, publisherId: 'publisher-1', languageCode: 'en', ...description };
      },
    },
  });
  const catalog = { CATALOG_RPC: `127.0.0.1:${peers.port}`, RPC_TOKEN: tokenOf('metadata') };
  const harness = await openServiceHarness({
    service: 'metadata',
    buckets: ['MEDIA_BUCKET', 'CAPTIONS_BUCKET'],
    callers: ['indexer', 'vdsctl', 'playback', 'apps'],
    settings: { ...catalog, ...settings },
  });
  return {
    ...harness,
    media: harness.bucket('MEDIA_BUCKET'),
    captions: harness.bucket('CAPTIONS_BUCKET'),
    /** What the partner says of each video. */
    descriptions,
    gates,
    close: async (): Promise<void> => {
      await harness.close();
      await peers.close();
    },
  };
}

/** The code of the error with which `work` fails. */
export function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no error',
    (error: unknown) => (error as { code?: unknown }).code,
  );
}
