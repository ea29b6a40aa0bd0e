/** The service as processes, on real servers; the test stands in for playback, catalog and auth. */
import { overlay } from '@vds/testkit/environments';
import { analytics } from '@vds/proto';
import { events } from '@vds/proto/events';
import type { VideosWatchedOut } from '@vds/proto/generated/vds/analytics/v1/VideosWatched.ts';
import type { ViewReported } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';
import { notFound } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { openTestPool, testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { serveFakePeers } from '@vds/testkit/harness/fake-peers';
import { testNats } from '@vds/testkit/harness/nats';
import { testBucket } from '@vds/testkit/harness/objects';
import { noTls, rpcCallers, tokenOf } from '@vds/testkit/harness/rpc-callers';
import { openBus } from '@vds/testkit/harness/service-harness';
import { spawnService } from '@vds/testkit/harness/service-process';
import { freePort } from '@vds/testkit/servers/free-port';

const folder = new URL('..', import.meta.url);
const RPC_TOKEN = tokenOf('analytics');

export type Harness = Awaited<ReturnType<typeof openHarness>>;
type Settings = Readonly<Record<string, string>>;

/** Videos `a-…` are of the organization org_a, others of org_b; `unknown` never was. */
export async function openHarness() {
  const [database, nats, bucket] = await Promise.all([testDatabase(folder), testNats(), testBucket()]);
  const deleted = new Set<string>();
  const peers = await servePeers(deleted);
  const [bus, catalogBus] = await Promise.all(['playback', 'catalog'].map((owner) => openBus(nats.url, owner)));
  if (!bus || !catalogBus) throw new Error('two owners have two buses');
  const target = `dns:///127.0.0.1:${peers.port}`;
  const env = {
    ...{ LOG_LEVEL: 'info', NATS_URL: nats.url, DATABASE_URL: database.url, DATABASE_PASSWORD: database.password },
    ...{ S3_ENDPOINT: bucket.endpoint, S3_REGION: bucket.region, ANALYTICS_BUCKET: bucket.bucket },
    ...{ S3_ACCESS_KEY: bucket.accessKey, S3_SECRET_KEY: bucket.secretKey },
    ...{ AUTH_RPC: target, CATALOG_RPC: target, RPC_TOKEN, RPC_CALLERS: rpcCallers(['vdsctl']) },
    ...{ TIME_SCALE: 'flushEvery=500ms,leaderLease=1s' },
  };
  const replicas: Awaited<ReturnType<typeof startProcess>>[] = [];
  return {
    bucket,
    bus,
    start: async (more: Settings = {}) => {
      const replica = await startProcess(overlay(env, more));
      replicas.push(replica);
      return replica;
    },
    publish: (report: ViewReported & { readonly eventId: string }): Promise<void> =>
      bus.publish(events.viewReported, report, report.eventId),
    publishDeleted: (videoId: string): Promise<void> => {
      deleted.add(videoId);
      return catalogBus.publish(
        events.purgeRequested,
        { videoId, scope: 'PURGE_SCOPE_VIDEO', keepAttempt: 0, owners: [], requestId: '1' },
        `purge-${videoId}`,
      );
    },
    /** Whether every report so far is stored. */
    isStored: async (): Promise<boolean> => {
      const { num_pending: waiting, num_ack_pending: held } = await bus.jsm.consumers.info('PLAYBACK', 'analytics');
      return waiting + held === 0;
    },
    restartNats: () => nats.restart(),
    /** Returns what restores JetStream to this moment. */
    copyNats: () => nats.copyStore(),
    /** What the service has published: all of it, as it lies in its stream. */
    published: () => readPublished(bus),
    /** As if its runs were of an hour and a night ago. */
    forgetRuns: () => runSql(database, "DELETE FROM chassis.leader_locks WHERE name <> 'analytics-writer'"),
    /** As another replica would that lets it expire. */
    takeLock: () => runSql(database, 'UPDATE chassis.leader_locks SET acquired_at = clock_timestamp()'),
    close: async (): Promise<void> => {
      await Promise.all(replicas.map((replica) => replica.end()));
      await Promise.all([bus.close(), catalogBus.close()]);
      await peers.close();
      await nats.remove();
      await Promise.all([database.drop(), bucket.drop()]);
    },
  };
}

async function readPublished({ jsm }: Awaited<ReturnType<typeof openBus>>): Promise<VideosWatchedOut[]> {
  const { state } = await jsm.streams.info('ANALYTICS');
  const sequences = Array.from({ length: state.messages }, (_none, at) => state.first_seq + at);
  const stored = await Promise.all(sequences.map((seq) => jsm.streams.getMessage('ANALYTICS', { seq })));
  return stored.flatMap((message) => (message ? [events.videosWatched.decode(message.data)] : []));
}

async function runSql(database: TestDatabase, sql: string): Promise<void> {
  const pool = openTestPool(database.poolConfig);
  await pool.query(sql);
  await pool.end();
}

async function startProcess(env: Settings) {
  const [adminRpcPort, adminPort] = [await freePort(), await freePort()];
  const ports = { ADMIN_RPC_PORT: String(adminRpcPort), ADMIN_PORT: String(adminPort) };
  const started = spawnService(folder, { ...env, ...ports });
  await started.logged('ready');
  const config = { rpcToken: tokenOf('vdsctl'), ...noTls };
  const admin = rpcClient(analytics.AnalyticsAdmin, {
    ...{ target: `dns:///127.0.0.1:${adminRpcPort}`, config, timeoutMs: 60_000 },
  });
  return {
    ...started,
    admin,
    /** The rows of a query, as objects. */
    query: async (sql: string, organizationId = 'org_a') =>
      (await admin.Query({ organizationId, sql })).rows.map((row) => JSON.parse(row) as Record<string, unknown>),
    metrics: async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
    end: async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> => {
      await admin.close();
      return started.stop(signal);
    },
  };
}

function servePeers(deleted: ReadonlySet<string>) {
  const ofCatalog = {
    AttributeVideo: async ({ videoId }: { readonly videoId: string }) => {
      if (videoId === 'unknown' || videoId === '') throw notFound('the video');
      const named = deleted.has(videoId) ? { title: '', version: 2 } : { title: 'A match', version: 1 };
      return { publisherId: videoId.startsWith('a-') ? 'pub_a' : 'pub_b', ...named, durationMs: 60_000 };
    },
  };
  const ofAuth = {
    DescribePublisher: async ({ publisherId }: { readonly publisherId: string }) => {
      if (publisherId === '') throw notFound('the publisher');
      const organizationId = publisherId === 'pub_a' ? 'org_a' : 'org_b';
      return { organizationId, viewerKey: Buffer.alloc(32, organizationId) };
    },
  };
  return serveFakePeers('analytics', { auth: ofAuth, catalog: ofCatalog }, 0);
}
