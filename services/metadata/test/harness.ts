/**
 * The real service in its own processes, on a fresh database, buckets and nats-server, with the test as its catalog.
 */
import { events, type EventType } from '@vds/proto/events';
import { openServiceHarness } from '@vds/testkit/harness/service-harness';
import { startFakeCatalog } from './fake-catalog.ts';

export type { PublishedEvent, Worker } from '@vds/testkit/harness/service-harness';

const ownEvents = Object.values(events).filter(({ owner }) => owner === 'metadata') as EventType<never, object>[];
export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** @param settings environment variables of every process that it starts */
export async function openHarness(settings: Readonly<Record<string, string>> = {}) {
  const fakeCatalog = await startFakeCatalog();
  const catalog = { CATALOG_RPC: `127.0.0.1:${fakeCatalog.port}`, RPC_TOKEN: fakeCatalog.token };
  const harness = await openServiceHarness({
    serviceDir: new URL('..', import.meta.url),
    ownEvents,
    as: 'catalog',
    buckets: ['MEDIA_BUCKET', 'CAPTIONS_BUCKET'],
    callers: ['indexer', 'vdsctl', 'playback'],
    settings: { ...catalog, ...settings },
  });
  return {
    ...harness,
    media: harness.bucket('MEDIA_BUCKET'),
    captions: harness.bucket('CAPTIONS_BUCKET'),
    descriptions: fakeCatalog.descriptions,
    close: async (): Promise<void> => {
      await harness.close();
      await fakeCatalog.close();
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
