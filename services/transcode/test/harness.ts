/**
 * The real service in its own processes, on a fresh database, buckets and nats-server, with the test as its catalog.
 */
import { events, type EventType } from '@vds/proto/events';
import { listKeys } from '@vds/testkit/harness/objects';
import { openServiceHarness } from '@vds/testkit/harness/service-harness';
import { serveVideosInUse } from '@vds/testkit/harness/videos-in-use';

export type { Worker } from '@vds/testkit/harness/service-harness';

export const publisher = 'publisher-1';

const ownEvents = Object.values(events).filter(({ owner }) => owner === 'transcode') as EventType<never, object>[];
export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** @param settings environment variables of every process that it starts */
export async function openHarness(settings: Readonly<Record<string, string>> = {}) {
  const catalog = await serveVideosInUse('transcode');
  const harness = await openServiceHarness({
    serviceDir: new URL('..', import.meta.url),
    ownEvents,
    as: 'catalog',
    others: ['ingest'],
    buckets: ['SOURCES_BUCKET', 'MEDIA_BUCKET'],
    callers: ['playback'],
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
