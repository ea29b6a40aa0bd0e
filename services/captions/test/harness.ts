/** The real service in processes of its own, on a fresh database, buckets and nats-server, with the test as its catalog. */
import { events, type EventType } from '@vds/proto/events';
import { listKeys, listUploads, readObject } from '@vds/testkit/harness/objects';
import { openServiceHarness } from '@vds/testkit/harness/service-harness';
import { readServers } from '@vds/testkit/servers/servers-file';

export type { Said, Worker } from '@vds/testkit/harness/service-harness';

export const publisher = 'publisher-1';

/** Where the embedded engines are; the rest is found on PATH. */
const { speechPython, apertium } = readServers();
const engines: Record<string, string> = {
  ...(typeof speechPython === 'string' && { SPEECH_PYTHON: speechPython }),
  ...(typeof apertium === 'string' && { APERTIUM_PATH: apertium }),
};

const facts = Object.values(events).filter(({ owner }) => owner === 'captions') as EventType<never, object>[];
export type House = Awaited<ReturnType<typeof openHouse>>;

/** @param settings variables of every process that is started in it */
export async function openHouse(settings: Readonly<Record<string, string>> = {}) {
  const house = await openServiceHarness({
    room: new URL('..', import.meta.url),
    facts,
    as: 'catalog',
    buckets: ['MEDIA_BUCKET', 'CAPTIONS_BUCKET'],
    callers: ['vdsctl', 'indexer'],
    settings: { ...engines, ...settings },
  });
  const captions = house.bucket('CAPTIONS_BUCKET');
  return {
    ...house,
    media: house.bucket('MEDIA_BUCKET'),
    captions,
    keys: (videoId: string): Promise<string[]> => listKeys(captions, `videos/${videoId}/`),
    /** Keys that are being uploaded in parts. */
    uploads: (videoId: string): Promise<string[]> => listUploads(captions, `videos/${videoId}/`),
    /** Text of an object in the captions bucket. */
    read: async (key: string): Promise<string> => (await readObject(captions, key)).toString('utf8'),
  };
}
