/** The service as a process, on real servers: its own NATS, a bucket, indexes under its own prefix. */
import { randomBytes } from 'node:crypto';
import { indexer } from '@vds/proto';
import { events } from '@vds/proto/events';
import { on } from '@vds/chassis/bus/bus';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { freePort } from '@vds/testkit/servers/free-port';
import { noTls, rpcCallers, tokenOf } from '@vds/testkit/harness/rpc-callers';
import { openBus } from '@vds/testkit/harness/service-harness';
import { spawnService } from '@vds/testkit/harness/service-process';
import { testNats } from '@vds/testkit/harness/nats';
import { testBucket } from '@vds/testkit/harness/objects';
import { readServers } from '@vds/testkit/servers/servers-file';
import { newFakeData, RPC_TOKEN, serveFakes } from './fake-services.ts';

const folder = new URL('..', import.meta.url);
const callers = ['apps', 'vdsctl'] as const;

export type Settings = Readonly<Record<string, string>>;

export type Replica = Awaited<ReturnType<typeof startProcess>>;
export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** @param openSearchUrl another address of OpenSearch, for example a proxy that can be closed */
export async function openHarness(settings: Settings = {}, openSearchUrl?: string) {
  const [rawIndex, nats, bucket, data, fakesPort] = [
    openPrefix(), await testNats(), await testBucket(), newFakeData(), await freePort(),
  ]; // prettier-ignore
  let fakes = await serveFakes(data, fakesPort);
  const bus = await openBus(nats.url, 'catalog');
  const purged: string[] = [];
  const onPurged = on(events.indexerVideoPurged, async ({ videoId, scope, requestId }) => {
    purged.push(`${videoId} ${scope} ${requestId}`);
  });
  bus.subscribe([onPurged]);
  const replicas: Replica[] = [];
  const target = `dns:///127.0.0.1:${fakesPort}`;
  const env = {
    LOG_LEVEL: 'info', NATS_URL: nats.url,
    S3_ENDPOINT: bucket.endpoint, S3_REGION: bucket.region, S3_ACCESS_KEY: bucket.accessKey,
    S3_SECRET_KEY: bucket.secretKey, CAPTIONS_BUCKET: bucket.bucket, AUTH_RPC: target, CATALOG_RPC: target, METADATA_RPC: target,
    RPC_TOKEN, RPC_CALLERS: rpcCallers(callers), OPENSEARCH_URL: openSearchUrl ?? rawIndex.url,
    INDEX_PREFIX: rawIndex.prefix, ...settings,
  }; // prettier-ignore
  return {
    rawIndex,
    nats,
    bucket,
    data,
    bus,
    purged,
    start: async (more: Settings = {}, waits = true): Promise<Replica> => {
      const replica = await startProcess({ ...env, ...more }, waits);
      replicas.push(replica);
      return replica;
    },
    /** Publishes catalog's event of a change. */
    publishChanged: (videoId: string, version: number): Promise<void> =>
      bus.publish(events.videoChanged, { videoId, version }, `${videoId}/${version}/${randomBytes(4).toString('hex')}`),
    /** Whether every event so far has been handled, also those that a killed replica left to another one. */
    isConsumed: async (): Promise<boolean> => {
      const { num_pending: waiting, num_ack_pending: handled } = await bus.jsm.consumers.info('CATALOG', 'indexer');
      return waiting + handled === 0;
    },
    stopFakes: () => fakes.close(),
    startFakes: async () => void (fakes = await serveFakes(data, fakesPort)),
    close: async (): Promise<void> => {
      await Promise.all(replicas.map((replica) => replica.end()));
      await bus.close();
      await fakes.close();
      await nats.remove();
      await Promise.all([bucket.drop(), rawIndex.wipe()]);
    },
  };
}

/** A unique prefix, and raw requests to OpenSearch. */
export function openPrefix(url = readServers().opensearch?.url ?? '') {
  const prefix = `test-${process.pid}-${randomBytes(4).toString('hex')}-`;
  const request = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${url}${path}`, { method, ...init });
    return (await response.json()) as T;
  };
  return {
    url,
    prefix,
    request,
    /** Everything of this prefix is gone. */
    wipe: async (): Promise<void> => {
      const found = Object.keys(await request<object>('GET', `/${prefix}*/_alias`));
      for (const index of found) await request('DELETE', `/${index}`);
    },
  };
}

async function startProcess(env: Settings, waits: boolean) {
  const [rpcPort, adminRpcPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const ports = { RPC_PORT: String(rpcPort), ADMIN_RPC_PORT: String(adminRpcPort), ADMIN_PORT: String(adminPort) };
  const started = spawnService(folder, { ...env, ...ports });
  if (waits) await started.logged('ready');
  const client = (caller: (typeof callers)[number], port: number) => {
    const config = { rpcToken: tokenOf(caller), ...noTls };
    return { target: `dns:///127.0.0.1:${port}`, config, timeoutMs: 10_000 };
  };
  const apps = rpcClient(indexer.IndexerService, client('apps', rpcPort));
  const admin = rpcClient(indexer.IndexerAdmin, client('vdsctl', adminRpcPort));
  return {
    ...started,
    apps,
    admin,
    readyz: () => fetch(`http://127.0.0.1:${adminPort}/readyz`),
    metrics: async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
    end: async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> => {
      const code = await started.stop(signal);
      await Promise.all([apps.close(), admin.close()]);
      return code;
    },
  };
}
