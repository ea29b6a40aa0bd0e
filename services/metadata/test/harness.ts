/** The real service in processes of its own, on a fresh database, buckets and nats-server, with the test as its catalog. */
import { createHash } from 'node:crypto';
import { events, type EventType } from '@vds/proto/events';
import { freePort } from '@vds/testkit/servers/free-port';
import { openServiceHarness, type Said, type Worker as Process } from '@vds/testkit/harness/service-harness';
import { openPartner } from './partner.ts';

export type { Said } from '@vds/testkit/harness/service-harness';
export type Worker = Process & { readonly rpcPort: number; readonly adminRpcPort: number; readonly adminPort: number };

export const rpcTokens = { indexer: 'token-of-indexer', vdsctl: 'token-of-vdsctl', playback: 'token-of-playback' };
const callers = Object.entries(rpcTokens).map(([name, token]) => `${name}=${digest(token)}`);

const facts = Object.values(events).filter(({ owner }) => owner === 'metadata') as EventType<never, object>[];
export type House = Awaited<ReturnType<typeof openHouse>>;

/** @param settings variables of every process that is started in it */
export async function openHouse(settings: Readonly<Record<string, string>> = {}) {
  const partner = await openPartner();
  const catalog = { CATALOG_RPC: `127.0.0.1:${partner.port}`, RPC_TOKEN: partner.token };
  const house = await openServiceHarness({
    room: new URL('..', import.meta.url),
    facts,
    as: 'catalog',
    buckets: ['MEDIA_BUCKET', 'CAPTIONS_BUCKET'],
    settings: { ...catalog, RPC_CALLERS: callers.join(','), ...settings },
  });
  return {
    ...house,
    media: house.bucket('MEDIA_BUCKET'),
    captions: house.bucket('CAPTIONS_BUCKET'),
    descriptions: partner.descriptions,
    startWorker: async (more: Readonly<Record<string, string>> = {}): Promise<Worker> => {
      const ports = { rpcPort: await freePort(), adminRpcPort: await freePort(), adminPort: await freePort() };
      const endpoints = {
        RPC_PORT: `${ports.rpcPort}`,
        ADMIN_RPC_PORT: `${ports.adminRpcPort}`,
        ADMIN_PORT: `${ports.adminPort}`,
      };
      return { ...(await house.startWorker({ ...endpoints, ...more })), ...ports };
    },
    /** Everything said of a video, by the last words of the subject: `metadata.completed`. */
    of: (videoId: string, what: string): Said[] =>
      house.said.filter(({ subject, payload }) => subject === `metadata.${what}.v1` && payload['videoId'] === videoId),
    close: async (): Promise<void> => {
      await house.close();
      await partner.close();
    },
  };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
