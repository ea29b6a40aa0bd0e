/**
 * The real service in its own processes, on a fresh database, buckets and nats-server, with the test as its catalog.
 */
import { startEngines } from '@vds/testkit/engines/engines';
import { listKeys, listUploads, readObject } from '@vds/testkit/harness/objects';
import { openServiceHarness } from '@vds/testkit/harness/service-harness';
import { serveVideosInUse } from '@vds/testkit/harness/videos-in-use';
import { readServers } from '@vds/testkit/servers/servers-file';

export type { PublishedEvent, Worker } from '@vds/testkit/harness/service-harness';

export const publisher = 'publisher-1';

/** The paths of the embedded engines; everything else is on PATH. */
const { speechPython, speechModel } = readServers();
const engines: Record<string, string> = {
  ...(typeof speechPython === 'string' && { SPEECH_PYTHON: speechPython }),
  ...(typeof speechModel === 'string' && { SPEECH_MODEL: speechModel }),
};

export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** @param settings environment variables of every process that it starts */
export async function openHarness(settings: Readonly<Record<string, string>> = {}) {
  const catalog = await serveVideosInUse('captions');
  const harness = await openServiceHarness({
    service: 'captions',
    buckets: ['MEDIA_BUCKET', 'CAPTIONS_BUCKET'],
    callers: ['vdsctl', 'indexer', 'apps'],
    settings: { ...engines, ...catalog.settings, ...settings },
  });
  const captions = harness.bucket('CAPTIONS_BUCKET');
  return {
    ...harness,
    media: harness.bucket('MEDIA_BUCKET'),
    captions,
    /** What catalog uses of videos. */
    videosInUse: catalog.videos,
    gates: catalog.gates,
    keys: (videoId: string): Promise<string[]> => listKeys(captions, `videos/${videoId}/`),
    /** Keys of unfinished multipart uploads. */
    uploads: (videoId: string): Promise<string[]> => listUploads(captions, `videos/${videoId}/`),
    /** The text of an object in the captions bucket. */
    read: async (key: string): Promise<string> => (await readObject(captions, key)).toString('utf8'),
    close: async (): Promise<void> => {
      await harness.close();
      await catalog.close();
    },
  };
}

/** The same with engines behind HTTP that hear one word and translate it into Spanish: a video has two tracks. */
export async function openTwoTrackHarness(settings: Readonly<Record<string, string>> = {}) {
  const twoTracks = await startEngines({ words: [{ text: 'Goal.', start: 0.2, end: 0.6 }], languages: ['en', 'es'] });
  const languages = { SPEECH_LANGUAGES: 'en', CAPTION_LANGUAGES: 'en,es' };
  const harness = await openHarness({ ...twoTracks.environment, ...languages, ...settings });
  const close = async (): Promise<void> => {
    await harness.close();
    await twoTracks.close();
  };
  return { ...harness, engines: twoTracks, close };
}
export type TwoTrackHarness = Awaited<ReturnType<typeof openTwoTrackHarness>>;
