/** The real service in processes of its own, on a fresh database, buckets and nats-server, with the test as its catalog. */
import { createHash } from 'node:crypto';
import { events, type EventType } from '@vds/proto/events';
import { freePort } from '@vds/testkit/servers/free-port';
import { openServiceHarness, type Said, type Worker as Process } from '@vds/testkit/harness/service-harness';

export type { Said } from '@vds/testkit/harness/service-harness';
export type Worker = Process & { readonly rpcPort: number };

export const publisher = 'publisher-1';
export const rpcToken = 'token-of-playback';

const facts = Object.values(events).filter(({ owner }) => owner === 'transcode') as EventType<never, object>[];

/** @param settings variables of every process that is started in it */
export async function openHouse(settings: Readonly<Record<string, string>> = {}) {
  const callers = { RPC_CALLERS: `playback=${createHash('sha256').update(rpcToken).digest('hex')}` };
  const house = await openServiceHarness({
    room: new URL('..', import.meta.url),
    facts,
    as: 'catalog',
    buckets: ['SOURCES_BUCKET', 'MEDIA_BUCKET'],
    settings: { ...callers, ENCODE_PRESET: 'ultrafast', ...settings },
  });
  const media = house.bucket('MEDIA_BUCKET');
  return {
    ...house,
    sources: house.bucket('SOURCES_BUCKET'),
    media,
    startWorker: async (more: Readonly<Record<string, string>> = {}): Promise<Worker> => {
      const rpcPort = await freePort();
      return { ...(await house.startWorker({ RPC_PORT: String(rpcPort), ...more })), rpcPort };
    },
    /** Everything said of a video, by the last words of the subject: `inspect.completed`. */
    of: (videoId: string, what: string): Said[] =>
      house.said.filter(({ subject, payload }) => subject === `transcode.${what}.v1` && payload['videoId'] === videoId),
    keys: async (videoId: string): Promise<string[]> => {
      const keys: string[] = [];
      for await (const item of media.client.listObjectsV2(media.bucket, `videos/${videoId}/`, true))
        keys.push((item as { name: string }).name);
      return keys;
    },
  };
}
export type House = Awaited<ReturnType<typeof openHouse>>;
