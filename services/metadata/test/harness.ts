/**
 * The real service in its own processes, on a fresh database, buckets and nats-server, with the test as its catalog.
 */
import { events, type EventType } from '@vds/proto/events';
import { openServiceHarness } from '@vds/testkit/harness/service-harness';
import { openPartner } from './partner.ts';

export type { PublishedEvent, Worker } from '@vds/testkit/harness/service-harness';

const ownEvents = Object.values(events).filter(({ owner }) => owner === 'metadata') as EventType<never, object>[];
export type House = Awaited<ReturnType<typeof openHouse>>;

/** @param settings environment variables of every process that it starts */
export async function openHouse(settings: Readonly<Record<string, string>> = {}) {
  const partner = await openPartner();
  const catalog = { CATALOG_RPC: `127.0.0.1:${partner.port}`, RPC_TOKEN: partner.token };
  const house = await openServiceHarness({
    serviceDir: new URL('..', import.meta.url),
    ownEvents,
    as: 'catalog',
    buckets: ['MEDIA_BUCKET', 'CAPTIONS_BUCKET'],
    callers: ['indexer', 'vdsctl', 'playback'],
    settings: { ...catalog, ...settings },
  });
  return {
    ...house,
    media: house.bucket('MEDIA_BUCKET'),
    captions: house.bucket('CAPTIONS_BUCKET'),
    descriptions: partner.descriptions,
    close: async (): Promise<void> => {
      await house.close();
      await partner.close();
    },
  };
}
