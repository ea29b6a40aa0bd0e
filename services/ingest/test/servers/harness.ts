/**
 * The service in its own processes, on its own database, nats-server and bucket, with a source host and a DNS server;
 * the test is its catalog.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partKey, partsOf, sourceManifest } from '@vds/proto/documents/source';
import { events } from '@vds/proto/events';
import { AppError, notFound } from '@vds/chassis/errors';
import { expect } from 'chai';
import { createAuthority } from '@vds/deploy-tools/secrets/certificates';
import { startDnsServer, type DnsNames } from '@vds/testkit/origin/dns-server';
import { serveFakePeers } from '@vds/testkit/harness/fake-peers';
import { listKeys, readObject } from '@vds/testkit/harness/objects';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { openServiceHarness, type ServiceHarness } from '@vds/testkit/harness/service-harness';
import { cancelVideo, newVideoId, purgeVideo, type PurgeScope } from '@vds/testkit/harness/stand-in-catalog';
import { until } from '@vds/testkit/until';
import { SHORT_TIMES } from './short-times.ts';
import { startSourceServer } from './source-server.ts';

export { newVideoId as newId } from '@vds/testkit/harness/stand-in-catalog';

export const HOST = 'media.example';
/** Further hosts of its certificate; a test that uses them says where they lead. */
export const OTHER_HOSTS = ['one.example', 'two.example', 'three.example', 'four.example'];
/** An event of ingest: its name in the event table and its payload. */
export type IngestEvent = { readonly name: string; readonly payload: Record<string, unknown> };
export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** @param names names for DNS; `media.example` is pinned to the source host */
export async function startHarness(names: DnsNames = {}) {
  const hosts = await startHosts(names);
  /** Of each video: where its file is. */
  const addresses = new Map<string, string>();
  const state = { isAway: false, calls: 0 };
  const peers = await serveCatalog(addresses, state);
  const service = await openServiceHarness({
    service: 'ingest',
    buckets: ['SOURCES_BUCKET'],
    settings: {
      ...hosts.settings,
      ...SHORT_TIMES,
      ...{ CATALOG_RPC: `127.0.0.1:${peers.port}`, RPC_TOKEN: tokenOf('ingest') },
    },
  });
  const { pool, nats } = service;
  const bucket = service.bucket('SOURCES_BUCKET');
  const catalog = catalogOf(service, addresses);
  return {
    service,
    catalog,
    catalogRpc: state,
    server: hosts.server,
    nats,
    pool,
    bucket,
    /** Starts a replica. */
    start: service.startWorker,
    /** Fetches a path of `media.example`, or a whole address, to its end. */
    fetch: async (path: string): Promise<IngestEvent & { videoId: string }> => {
      const videoId = newVideoId();
      await catalog.request(videoId, path.startsWith('/') ? `https://${HOST}${path}` : path);
      return { videoId, ...(await catalog.waitFor(videoId, ['fetchCompleted', 'fetchFailed'])) };
    },
    object: (key: string) => readObject(bucket, key),
    /** The bytes of a source by the key of its manifest, which names nothing but them. */
    source: async (key: unknown): Promise<Buffer> => {
      const manifest = sourceManifest.read(await readObject(bucket, String(key)));
      const { bytes, partBytes } = manifest;
      const parts = partsOf(manifest, { from: 0, to: bytes });
      const read = await Promise.all(parts.map(({ number }) => readObject(bucket, partKey(String(key), number))));
      for (const part of read.slice(0, -1)) expect(part.length).to.equal(partBytes);
      return Buffer.concat(read);
    },
    /** Removes the parts of a source, as a purge does. */
    removeParts: async (videoId: string): Promise<void> => {
      const keys = await listKeys(bucket, `videos/${videoId}/`);
      await bucket.client.removeObjects(bucket.bucket, keys);
    },
    putObject: (key: string) => bucket.client.putObject(bucket.bucket, key, 'late'),
    keys: (videoId: string): Promise<string[]> => listKeys(bucket, `videos/${videoId}/`),
    row: async (sql: string, ...values: unknown[]): Promise<Record<string, unknown> | undefined> =>
      (await pool.query<Record<string, unknown>>(sql, values)).rows[0],
    stop: async (): Promise<void> => {
      await service.close();
      await peers.close();
      await hosts.close();
    },
  };
}

/** Catalog's RPC: where the file of a video is. */
function serveCatalog(addresses: ReadonlyMap<string, string>, state: { readonly isAway: boolean; calls: number }) {
  return serveFakePeers('ingest', {
    catalog: {
      GetSourceAddress: async ({ videoId }) => {
        state.calls += 1;
        if (state.isAway) throw new AppError('UNAVAILABLE', 'catalog is away');
        const sourceUrl = addresses.get(videoId);
        if (sourceUrl === undefined) throw notFound(videoId);
        return { sourceUrl };
      },
    },
  });
}

const nameOf = new Map(Object.entries(events).map(([name, { subject }]) => [subject, name]));

/** Catalog towards ingest. */
function catalogOf({ published, bus }: ServiceHarness, addresses: Map<string, string>) {
  let messages = 0;
  /** The events of a video so far, oldest first. */
  const eventsOf = (videoId: string): IngestEvent[] =>
    published
      .filter(({ payload }) => payload['videoId'] === videoId)
      .map(({ subject, payload }) => ({ name: nameOf.get(subject) ?? subject, payload }));
  return {
    published: eventsOf,
    /** Waits for the `nth` event (from 1) of these names. */
    waitFor: (videoId: string, eventNames: readonly string[], nth = 1): Promise<IngestEvent> =>
      until(() => eventsOf(videoId).filter(({ name }) => eventNames.includes(name))[nth - 1], {
        what: `${eventNames.join(' or ')} of ${videoId}`,
      }),
    addresses,
    request: (videoId: string, sourceUrl: string, { attempt = 1, ageMs = 0, publisherId = 'pub' } = {}) => {
      const age = ageMs > 0 && { acceptedAtMs: Date.now() - ageMs };
      addresses.set(videoId, sourceUrl);
      const payload = { videoId, attempt, publisherId, sourceHost: URL.parse(sourceUrl)?.host ?? '', ...age };
      return bus.publish(events.fetchRequested, payload, `fetch-${++messages}`);
    },
    cancel: (videoId: string) => cancelVideo(bus, videoId),
    purge: (videoId: string, scope: PurgeScope, { keepAttempt = 0, sourceKey = '' } = {}) =>
      purgeVideo(bus, videoId, { scope, keepAttempt, owners: ['ingest'], inUse: { sourceKey } }),
  };
}

async function startHosts(names: DnsNames) {
  const authority = await createAuthority();
  const [server, dns] = await Promise.all([
    authority.issue([HOST, ...OTHER_HOSTS]).then(startSourceServer),
    startDnsServer(names),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'ingest-test-'));
  writeFileSync(join(folder, 'ca.pem'), authority.caCertificate);
  // `stranger.example` leads to the same server, whose certificate is for another name; nothing listens on port 1.
  const pinned = [`${HOST}:443`, 'stranger.example:443'].map((host) => `${host}=127.0.0.1:${server.port}`);
  return {
    server,
    settings: {
      SOURCE_CA_FILE: join(folder, 'ca.pem'),
      DNS_SERVERS: dns.address,
      PRIVATE_SOURCES: [...pinned, 'refused.example:443=127.0.0.1:1'].join(),
    },
    close: async (): Promise<void> => {
      await Promise.all([server.close(), dns.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
