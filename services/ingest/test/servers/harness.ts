/**
 * What ingest depends on, real and owned by the test: database, nats-server, bucket, source host, DNS server, catalog.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partKey, partsOf, sourceManifest } from '@vds/proto/documents/source';
import { expect } from 'chai';
import { createAuthority } from '@vds/deploy-tools/secrets/certificates';
import { startDnsServer, type DnsNames } from '@vds/testkit/origin/dns-server';
import { overlay } from '@vds/testkit/environments';
import { openTestPool, testDatabase } from '@vds/testkit/harness/database';
import { noAuth } from '@vds/testkit/harness/rpc-callers';
import { testNats } from '@vds/testkit/harness/nats';
import { listKeys, readObject, testBucket } from '@vds/testkit/harness/objects';
import { startCatalog, type IngestEvent } from './catalog.ts';
import { SERVICE_ROOT, SHORT_TIMES, startIngest, type Ingest } from './ingest-process.ts';
import { startSourceServer } from './source-server.ts';

export const HOST = 'media.example';
/** Further hosts of its certificate; a test that uses them says where they lead. */
export const OTHER_HOSTS = ['one.example', 'two.example', 'three.example', 'four.example'];
export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** @param names names for DNS; `media.example` is pinned to the source host */
export async function startHarness(names: DnsNames = {}) {
  const { environment, nats, bucket, server, pool, stop } = await startServers(names);
  const catalog = await startCatalog(nats.url);
  const running: Ingest[] = [];
  return {
    catalog,
    server,
    nats,
    pool,
    /** Starts a replica. */
    start: async (more: Readonly<Record<string, string>> = {}): Promise<Ingest> => {
      const ingest = await startIngest(overlay(environment, more));
      running.push(ingest);
      return ingest;
    },
    /** Fetches a path of `media.example`, or a whole address, to its end. */
    fetch: async (path: string): Promise<IngestEvent & { videoId: string }> => {
      const videoId = newId();
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
      await Promise.all(running.map(({ stop: end }) => end()));
      await catalog.close();
      await stop();
    },
  };
}

async function startServers(names: DnsNames) {
  const authority = await createAuthority();
  const [database, nats, bucket, server, dns] = await Promise.all([
    testDatabase(SERVICE_ROOT),
    testNats(),
    testBucket(),
    authority.issue([HOST, ...OTHER_HOSTS]).then(startSourceServer),
    startDnsServer(names),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'ingest-test-'));
  writeFileSync(join(folder, 'ca.pem'), authority.caCertificate);
  const pool = openTestPool(database.poolConfig);
  const environment: Record<string, string> = {
    ADMIN_PORT: '0',
    DATABASE_URL: database.url,
    DATABASE_PASSWORD: database.password,
    ...noAuth,
    NATS_URL: nats.url,
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_ACCESS_KEY: bucket.accessKey,
    S3_SECRET_KEY: bucket.secretKey,
    SOURCES_BUCKET: bucket.bucket,
    SOURCE_CA_FILE: join(folder, 'ca.pem'),
    DNS_SERVERS: dns.address,
    // `stranger.example` leads to the same server, whose certificate is for another name; nothing listens on port 1.
    PRIVATE_SOURCES: [`${HOST}:443`, 'stranger.example:443'].map((host) => `${host}=127.0.0.1:${server.port}`).join(),
    ...SHORT_TIMES,
  };
  environment['PRIVATE_SOURCES'] += ',refused.example:443=127.0.0.1:1';
  const stop = async (): Promise<void> => {
    await Promise.all([pool.end(), server.close(), dns.close(), bucket.drop(), nats.remove()]);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { environment, nats, bucket, server, pool, stop };
}

export function newId(): string {
  return randomBytes(13).toString('hex');
}
